package org.naklab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.pace.ProcessPace.Stage;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveServer;
import org.naklab.lab.report.live.LiveSource;
import org.naklab.lab.report.live.StallExaminer;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** What goes on now, in a browser. The test hands over the samples. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class LivePageTest {
    private static final String HOST = "127.0.0.1";
    private static final SeriesName DEPTH = SeriesName.of("socket.4711.127.0.0.1:40123#77.depthBytes");
    private static final String STATE = "document.getElementById('state').textContent";
    private static final String SILENT =
            "/silent for ([\\d.,]+)/.exec((document.querySelector('.stage.stalled') || {}).textContent)";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    /** Bytes that the socket holds. */
    private long depthBytes;

    private static void pass(LiveSource source, long depthBytes) {
        long nowNs = System.nanoTime();
        source.onSample(nowNs, DEPTH, depthBytes);
        source.onProgress(nowNs);
    }

    private void await(Browser browser, LiveSource source, String what, String condition) {
        Awaitility.await(what).atMost(60, TimeUnit.SECONDS).until(() -> {
            pass(source, depthBytes);
            return browser.evaluate("Boolean(" + condition + ")").asBoolean();
        });
    }

    private double silentMs(Browser browser, LiveSource source) throws InterruptedException {
        await(browser, source, "a stage that is stalled", SILENT);
        return browser.evaluate("Number(" + SILENT + "[1].replace(',', ''))").asDouble();
    }

    @Test
    void shouldShowAStallWhileItLastsAndSurviveAReloadAndALostConnection() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        LiveFeed feed = LiveFeed.ofWatch("process 4711");
        LiveSource source = feed.open();
        LiveServer server = LiveServer.launch(HOST, 0, feed, errors::add);
        int port = URI.create(server.url(HOST)).getPort();
        pass(source, 0);
        try (Browser browser = Browser.open(chromium, directory, URI.create(server.url(HOST)), 1280, 720)) {
            await(browser, source, "the present", STATE + ".includes('Watching now')");
            await(browser, source, "a strip", "document.querySelectorAll('canvas').length >= 2");
            assertThat(browser.evaluate("document.getElementById('reveal').hidden")
                            .asBoolean())
                    .isTrue();

            long beginNs = System.nanoTime();
            depthBytes = 2_048;
            double earlier = silentMs(browser, source);
            await(browser, source, "more of it", "Number(" + SILENT + "[1].replace(',', '')) > " + (earlier + 50));
            depthBytes = 0;
            pass(source, depthBytes);
            report(feed, source, beginNs, System.nanoTime() - beginNs);
            await(browser, source, "its end", "document.querySelector('.stage.stalled') === null");
            await(browser, source, "its account", "document.querySelector('.stall .account') !== null");
            await(browser, source, "its cause", "document.getElementById('events').textContent.includes('lock-wait')");

            browser.press(" ");
            await(browser, source, "a pause", "document.getElementById('play').textContent === 'Play'");
            await(browser, source, "the past", STATE + ".includes('past')");
            browser.press("ArrowLeft");
            browser.press("+");
            await(browser, source, "a zoom", "document.getElementById('window').value === '10000'");
            browser.press(".");
            browser.press(".");
            await(browser, source, "the line at which charts are read", "document.body.dataset.cursor > '0.5000'");
            browser.press(",");
            await(browser, source, "the line a step back", "document.body.dataset.cursor === '0.5000'");
            browser.press("Escape");
            await(browser, source, "no line", "document.body.dataset.cursor === undefined");
            browser.press("End");
            await(browser, source, "the present again", STATE + ".includes('Watching now')");

            browser.evaluate("delete document.body.dataset.ready, location.reload()");
            await(browser, source, "the page again", "document.body && document.body.dataset.ready");
            await(browser, source, "the stall again", "document.querySelector('.stall .account') !== null");

            server.close();
            await(browser, source, "a lost connection", STATE + ".includes('lost')");
            server = LiveServer.launch(HOST, port, feed, errors::add);
            await(browser, source, "a new connection", STATE + ".includes('Watching now')");
            feed.end("The process has ended.");
            await(browser, source, "the end", STATE + ".includes('The process has ended.')");
        } finally {
            server.close();
        }
        assertThat(errors).isEmpty();
    }

    private static void pace(LiveSource source, long atNs, String process, Map<Stage, Long> passed) {
        source.onPace(new ProcessPace(atNs, process, passed, null));
    }

    @Test
    void shouldShowTheRateAndTheDepthOfEachStage() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        LiveFeed feed = LiveFeed.ofRun("mystery/1");
        LiveSource source = feed.open();
        try (LiveServer server = LiveServer.launch(HOST, 0, feed, errors::add)) {
            long nowNs = System.nanoTime();
            pace(source, nowNs, "exchange", Map.of(Stage.SENT, 0L));
            pace(source, nowNs + 1_000_000, "mds", Map.of(Stage.RECEIVED, 0L, Stage.APPLIED, 0L, Stage.JOURNALED, 0L));
            pace(source, nowNs + 2_000_000, "gateway-1", Map.of(Stage.RECEIVED, 0L));
            pace(source, nowNs + 250_000_000, "exchange", Map.of(Stage.SENT, 5_000L));
            pace(
                    source,
                    nowNs + 251_000_000,
                    "mds",
                    Map.of(Stage.RECEIVED, 4_000L, Stage.APPLIED, 3_000L, Stage.JOURNALED, 2_000L));
            pace(source, nowNs + 252_000_000, "gateway-1", Map.of(Stage.RECEIVED, 4_500L));
            source.onSample(nowNs, SeriesName.of("gauge.mds.ringDepthSlots"), 123);
            source.onSample(nowNs, SeriesName.of("gauge.mds.journalLagMessages"), 5_000);
            try (Browser browser = Browser.open(chromium, directory, URI.create(server.url(HOST)), 1280, 720)) {
                await(browser, source, "the stages", "document.querySelectorAll('.stage').length === 6");
                List.of(
                                "Exchange20,000 events/s",
                                "Receipt thread16,000 events/s",
                                "Ring12,000 events/s leave it\\n123 events wait",
                                "12,000/s into the books\\n8,000/s into the journal\\nthe journal is 5,000 events behind",
                                "Other receivers18,000 events/s")
                        .forEach(text -> await(
                                browser,
                                source,
                                text,
                                "document.getElementById('flow').textContent.includes('" + text + "')"));
                assertThat(browser.evaluate("document.querySelectorAll('.stage.late').length")
                                .asInt())
                        .as("the journal is far behind")
                        .isEqualTo(1);
            }
        }
        assertThat(errors).isEmpty();
    }

    /** Nothing is known of a stall but the page faults that are over. */
    private static StallAccount ofFaults(TimelineEvent stall, List<TimelineEvent> events) {
        double faultsMs = events.stream()
                .filter(PageFault.class::isInstance)
                .mapToDouble(event -> event.interval().lengthMs())
                .sum();
        return new StallAccount(List.of(
                new AccountEntry(AccountKind.PAGE_FAULT, faultsMs, "libc.so.6 .gnu.hash"),
                new AccountEntry(AccountKind.UNEXPLAINED, stall.interval().lengthMs() - faultsMs, "")));
    }

    /** Knows page faults only. */
    private static final class FaultExaminer implements StallExaminer {
        @Override
        public StallAccount account(TimelineEvent stall, List<TimelineEvent> events) {
            return ofFaults(stall, events);
        }

        @Override
        public Optional<DiagnosisRecord> examine(TimelineEvent stall, List<TimelineEvent> events) {
            return Optional.of(new DiagnosisRecord(
                    new DiagnosisRecord.Named("major-fault", "likely"),
                    new DiagnosisRecord.Grounds(
                            List.of(),
                            List.of(new DiagnosisRecord.Link("STALL", true, true, stall.timeNs())),
                            List.of(
                                    new DiagnosisRecord.Suspect("traffic burst", true, "no burst"),
                                    new DiagnosisRecord.Suspect("slow callback", false, "not seen"))),
                    new DiagnosisRecord.Advice(List.of(), List.of(), ""),
                    new DiagnosisRecord.Others(List.of(), null, List.of())));
        }
    }

    private static void fault(LiveSource source, long beginNs, long endNs) {
        source.onEvent(
                new PageFault("mds", "mds-context", new Interval(beginNs, endNs), true, "libc.so.6 .gnu.hash", ""));
    }

    @Test
    void shouldDrawTheAccountOfAStallOfARunWhileItLastsOnceSomebodyAsks() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        LiveFeed feed = LiveFeed.ofRun("mystery/1");
        LiveSource source = feed.open(new FaultExaminer());
        source.onSample(System.nanoTime(), SeriesName.of("heartbeat.mds.mds-context.longestGapNs"), 1);
        try (LiveServer server = LiveServer.launch(HOST, 0, feed, errors::add);
                Browser browser = Browser.open(chromium, directory, URI.create(server.url(HOST)), 1280, 720)) {
            await(browser, source, "the run", STATE + ".includes('The run goes on')");
            long beginNs = System.nanoTime();
            source.onEvent(new ThreadEvent.StallBegan(beginNs, "mds", "mds-context", beginNs));
            fault(source, beginNs, beginNs + 1_000_000);
            await(browser, source, "the stall", "document.querySelector('.stall')");
            await(browser, source, "time that passes", SILENT + " && document.querySelector('.stage.stalled')");
            assertThat(browser.evaluate("document.querySelector('.stall .account') === null")
                            .asBoolean())
                    .as("nobody has asked yet")
                    .isTrue();
            browser.evaluate("document.getElementById('reveal').click()");
            String known =
                    "document.querySelector('.stall').textContent.includes('1.0 ms page fault (libc.so.6 .gnu.hash)')";
            await(
                    browser,
                    source,
                    "what is known",
                    known + " && document.querySelector('.stall .account .part-unknown')");
            assertThat(browser.evaluate("document.querySelector('.stall').textContent")
                            .asText())
                    .contains("is silent", "What is known so far:", "not known yet");
            long endNs = System.nanoTime();
            fault(source, beginNs + 1_000_000, endNs);
            source.onEvent(new ThreadStall(
                    beginNs,
                    TimelineEventType.STALL,
                    "mds",
                    "mds-context",
                    Interruption.UNKNOWN,
                    new ThreadStall.Sight(endNs - beginNs, endNs, null, false, null, null)));
            await(
                    browser,
                    source,
                    "the whole account",
                    "document.querySelector('.stall').textContent.includes('received nothing for')"
                            + " && document.querySelectorAll('.stall .account i').length > 0"
                            + " && !document.querySelector('.stall').textContent.includes('so far')");
            await(
                    browser,
                    source,
                    "the chain and a suspect that is struck out",
                    "!document.getElementById('verdict').hidden && document.querySelector('#verdict ol li')"
                            + " && document.querySelector('#verdict .out').textContent === 'traffic burst'"
                            + " && document.getElementById('verdict').textContent.includes('so far')");
        }
        assertThat(errors).isEmpty();
    }

    /** As the instruments do when a stall is over. */
    private static void report(LiveFeed feed, LiveSource source, long beginNs, long lengthNs) {
        source.onEvent(TimelineEvent.of(
                beginNs,
                TimelineEventType.STALL,
                "4711",
                "receiver",
                Map.of("durationNs", lengthNs, "endNs", beginNs + lengthNs)));
        double ms = lengthNs / 1e6;
        feed.account(new Stall(
                "4711",
                beginNs,
                ms,
                "receiver",
                0,
                "lock-wait",
                new StallAccount(List.of(new AccountEntry(AccountKind.UNEXPLAINED, ms, "")))));
    }

    @Test
    void shouldHideTheCauseOfARunUntilItHasEndedAndSomebodyAsks() throws IOException, InterruptedException {
        String chromium = Chromium.find();
        Path run = FixtureRun.copyTo(Files.createDirectories(directory.resolve("mystery/run-1")));
        LiveFeed feed = LiveFeed.ofRun("mystery/run-1");
        LiveSource source = feed.open();
        try (LiveServer server = LiveServer.launch(HOST, 0, feed, errors::add);
                Browser browser = Browser.open(chromium, directory, URI.create(server.url(HOST)), 390, 844)) {
            await(browser, source, "the run", STATE + ".includes('The run goes on')");
            source.close();
            feed.end(run, "The run has ended: pass.");
            await(browser, source, "the verdict", STATE + ".includes('The run has ended: pass.')");
            assertThat(browser.evaluate("document.body.textContent.includes('late-binding')")
                            .asBoolean())
                    .isFalse();
            browser.evaluate("document.getElementById('reveal').click()");
            await(
                    browser,
                    source,
                    "the cause",
                    "document.getElementById('verdict').textContent.includes('late-binding')");
            assertThat(browser.evaluate("document.documentElement.scrollWidth <= 390")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(errors).isEmpty();
    }
}
