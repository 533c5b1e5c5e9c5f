package org.naklab.lab.report.instructor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.core.books.BookView.Level;
import org.naklab.lab.core.books.BookView.Validity;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.report.FixtureRun;
import org.naklab.lab.report.dashboard.Dashboard;
import org.naklab.lab.report.live.LiveFeed;
import org.naklab.lab.report.live.LiveSource;
import org.naklab.testing.browser.Browser;
import org.naklab.testing.browser.Chromium;

/** The pages of an instructor and of an audience, in browsers. The test plays the processes of the run. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class InstructorPageTest {
    private static final SeriesName DEPTH = SeriesName.of("socket.mds.127.0.0.1:40123#77.depthBytes");
    private static final String RUN_TEXT = "document.getElementById('run-text').textContent";
    private static final String STALE = "document.getElementById('stale').textContent";
    private static final String FAULTS = "document.getElementById('faults').textContent";
    private static final String USABLE =
            "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')]"
                    + ".filter(each => !each.disabled && each.checkVisibility())";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final ActedRuns acts = new ActedRuns();

    @TempDir
    private Path directory;

    private Path runs;
    private InstructorServer server;

    @BeforeEach
    void launch() throws IOException {
        runs = Files.createDirectories(directory.resolve("runs"));
        server = launch(0);
    }

    private InstructorServer launch(int port) {
        return InstructorServer.launch(
                "127.0.0.1", port, List.of(), acts, acts.stage, Dashboard.pages(runs), errors::add);
    }

    @AfterEach
    void close() {
        server.close();
        assertThat(errors).isEmpty();
    }

    private Browser open(String path, String name, int width, int height) throws IOException, InterruptedException {
        return Browser.open(
                Chromium.find(),
                Files.createDirectories(directory.resolve(name)),
                URI.create("http://127.0.0.1:" + server.port() + path),
                width,
                height);
    }

    private static void await(Browser browser, String what, String condition) {
        Awaitility.await(what).atMost(60, TimeUnit.SECONDS).until(() -> browser.evaluate("Boolean(" + condition + ")")
                .asBoolean());
    }

    private static void click(Browser browser, String id) throws InterruptedException {
        browser.evaluate("document.getElementById('" + id + "').click()");
    }

    private void start(Browser browser) throws InterruptedException {
        await(browser, "what can be started", "document.body.dataset.offered");
        browser.evaluate("document.getElementById('clients').value = '3'");
        click(browser, "start");
        await(browser, "the run", RUN_TEXT + ".includes('The run goes on.') && document.body.dataset.kind === 'run'");
        assertThat(browser.evaluate("document.getElementById('repeat-command').textContent")
                        .asText())
                .contains(" --clients=3");
    }

    private static void pass(LiveSource source, long depthBytes, long serviceAgeMs, Validity validity) {
        long nowNs = System.nanoTime();
        source.onSample(nowNs, DEPTH, depthBytes);
        source.onBooks(List.of(
                book(nowNs, "exchange", 0, 1_001_200, Validity.VALID),
                book(nowNs, "mds", serviceAgeMs, serviceAgeMs < 20 ? 1_001_200 : 1_000_000, validity),
                book(nowNs, "gateway-1", 1, 1_001_200, Validity.VALID)));
        source.onProgress(nowNs);
    }

    private static BookView book(long atNs, String process, long ageMs, long bid, Validity validity) {
        return new BookView(
                atNs,
                process,
                7,
                validity,
                validity == Validity.SUSPECT ? 4_711 : 0,
                ageMs * 1_000_000,
                List.of(new Level(bid, 300, 2), new Level(bid - 100, 900, 3)),
                List.of(new Level(bid + 200, 500, 1), new Level(bid + 300, 100, 1)),
                new BookView.Trade(atNs, bid, 50));
    }

    @Test
    void shouldStartNothingBeforeItIsKnownWhatCanBeStarted() throws IOException, InterruptedException {
        CountDownLatch choices = new CountDownLatch(1);
        acts.holdChoices(choices);
        try (Browser instructor = open(server.instructorPath(), "instructor", 1280, 720)) {
            await(instructor, "that nothing goes on", RUN_TEXT + ".includes('No run was started yet.')");
            assertThat(instructor
                            .evaluate("document.getElementById('start').disabled")
                            .asBoolean())
                    .isTrue();
            choices.countDown();
            await(instructor, "that a run can be started", "!document.getElementById('start').disabled");
        } finally {
            choices.countDown();
        }
    }

    @Test
    void shouldStartARunSeeAStalePriceAndKeepTheCauseUntilItIsRevealed() throws IOException, InterruptedException {
        try (Browser instructor = open(server.instructorPath(), "instructor", 1280, 720);
                Browser audience = open(server.audiencePath(), "audience", 390, 844)) {
            assertThat(audience.evaluate("document.querySelectorAll('.acts').length")
                            .asInt())
                    .isZero();
            start(instructor);
            LiveFeed feed = acts.feed();
            LiveSource source = feed.open();
            long beginNs = System.nanoTime();
            pass(source, 0, 1, Validity.VALID);
            await(audience, "the run", RUN_TEXT + ".includes('The run goes on.')");
            pass(source, 4_096, 160, Validity.SUSPECT);
            for (Browser browser : List.of(instructor, audience)) {
                Awaitility.await("the stale price").atMost(60, TimeUnit.SECONDS).until(() -> {
                    pass(source, 4_096, 160, Validity.SUSPECT);
                    return browser.evaluate(
                                    STALE
                                            + ".includes('service see prices that are 160 ms old: the best price is 12 ticks (cents) away')")
                            .asBoolean();
                });
                assertThat(browser.evaluate("document.querySelectorAll('.ladder').length")
                                .asInt())
                        .isEqualTo(3);
                assertThat(browser.evaluate(
                                        "getComputedStyle(document.querySelector('.ladder.suspect table')).backgroundImage")
                                .asText())
                        .contains("gradient");
                assertThat(browser.evaluate("document.querySelector('.ladder.suspect').textContent")
                                .asText())
                        .contains("perhaps wrong: messages are missing since message 4,711");
            }
            source.onEvent(TimelineEvent.of(
                    beginNs,
                    TimelineEventType.STALL,
                    "mds",
                    "mds-context",
                    java.util.Map.of("durationNs", 160_000_000L, "endNs", beginNs + 160_000_000L)));
            Awaitility.await("fresh prices again").atMost(60, TimeUnit.SECONDS).until(() -> {
                pass(source, 0, 1, Validity.VALID);
                return audience.evaluate(STALE + ".includes('All customers see the prices')")
                                .asBoolean()
                        && audience.evaluate(
                                        "document.querySelector('.ladder .worst').textContent.includes('160 ms old, 12 ticks (cents) wrong')")
                                .asBoolean();
            });
            await(audience, "the stall", "document.querySelectorAll('.stall').length > 0");
            source.close();
            Path run = FixtureRun.copyTo(Files.createDirectories(runs.resolve("mystery/run-1")));
            feed.end(run, "The run has ended: pass.");
            acts.end();
            await(audience, "the end", RUN_TEXT + ".includes('The run has ended')");
            assertThat(audience.evaluate("document.getElementById('reveal').hidden")
                            .asBoolean())
                    .isTrue();
            audience.evaluate("document.getElementById('reveal').click()");
            assertThat(audience.evaluate(
                                    "document.body.innerText.includes('late-binding') || document.body.innerText.includes('mystery')")
                            .asBoolean())
                    .isFalse();
            click(instructor, "tell");
            for (Browser browser : List.of(audience, instructor)) {
                await(browser, "the cause", "document.getElementById('verdict').textContent.includes('late-binding')");
                await(browser, "what was run", RUN_TEXT + ".includes('mystery')");
            }
            assertThat(audience.evaluate("document.documentElement.scrollWidth <= 390")
                            .asBoolean())
                    .isTrue();
            assertThat(instructor
                            .evaluate("document.getElementById('repeat-link').search")
                            .asText())
                    .contains("scenario=mystery")
                    .contains("seed=42");
            instructor.go(URI.create(instructor
                    .evaluate("document.getElementById('film-link').href")
                    .asText()));
            await(instructor, "the film of the run", "document.body.dataset.kind === 'film'");
        }
    }

    @Test
    void shouldInjectAFaultShowItsProofAndRemoveItThroughAReloadAndALostConnection()
            throws IOException, InterruptedException {
        try (Browser browser = open(server.instructorPath(), "instructor", 1280, 720)) {
            start(browser);
            click(browser, "inject");
            await(browser, "an armed fault", FAULTS + ".includes('armed: it may fire')");
            acts.fire("dropped 3 of 60 datagrams");
            await(browser, "its proof", FAULTS + ".includes('fired (dropped 3 of 60 datagrams)')");
            browser.evaluate("delete document.body.dataset.ready, location.reload()");
            await(
                    browser,
                    "the fault after a reload",
                    "document.body && document.body.dataset.offered && " + FAULTS + ".includes('fired')");
            int port = server.port();
            server.close();
            await(browser, "a lost connection", "document.getElementById('state').textContent.includes('lost')");
            // The addresses of the next server have other tokens: the page of the old one stays lost.
            server = launch(port);
        }
        try (Browser browser = open(server.instructorPath(), "again", 1280, 720)) {
            await(browser, "the fault", FAULTS + ".includes('fired')");
            browser.evaluate("document.querySelector('#faults button').click()");
            await(browser, "its removal", FAULTS + ".includes('removed; it had fired (dropped 12 of 240 datagrams)')");
            assertThat(browser.evaluate("document.querySelectorAll('#faults button').length")
                            .asInt())
                    .isZero();
            browser.evaluate("document.getElementById('fault').value = 'nonsense'");
            click(browser, "inject");
            await(
                    browser,
                    "why it is refused",
                    "document.getElementById('act-problem').textContent.includes('no kind of fault')");
            click(browser, "stop");
            await(browser, "that it ends", "document.body.dataset.phase === 'ending'");
        }
    }

    /** Everything that can be used is reached by the Tab key alone, and the button starts the run by the space bar. */
    @ParameterizedTest
    @CsvSource({"1280, 720", "1920, 1080"})
    void shouldNeedNoMouseAndKeepNobodyOut(int width, int height) throws IOException, InterruptedException {
        try (Browser browser =
                open(server.instructorPath() + "?scenario=gc-pause&seed=7&hidden=false", "keys", width, height)) {
            await(browser, "what can be started", "document.body.dataset.offered");
            assertThat(browser.evaluate(
                                    "document.getElementById('scenario').value + document.getElementById('seed').value"
                                            + " + document.getElementById('hidden').checked")
                            .asText())
                    .isEqualTo("gc-pause7false");
            assertThat(acts.state().number()).as("the link starts nothing").isZero();
            int usable = browser.evaluate(USABLE + ".length").asInt();
            for (int i = 0; i < usable; i++) {
                browser.press("Tab");
                assertThat(browser.evaluate(USABLE + ".indexOf(document.activeElement)")
                                .asInt())
                        .isEqualTo(i);
            }
            browser.evaluate("document.getElementById('start').focus()");
            browser.press(" ");
            await(browser, "the run", RUN_TEXT + ".includes('gc-pause')");
            LiveSource source = acts.feed().open();
            await(browser, "its page", "document.body.dataset.kind === 'run'");
            pass(source, 4_096, 160, Validity.SUSPECT);
            Awaitility.await("the books").atMost(60, TimeUnit.SECONDS).until(() -> {
                pass(source, 4_096, 160, Validity.SUSPECT);
                return browser.evaluate("document.querySelectorAll('.ladder').length === 3")
                        .asBoolean();
            });
            browser.evaluate("document.getElementById('inject').focus()");
            browser.press("Enter");
            await(browser, "a fault", FAULTS + ".includes('armed')");
            assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                    .as("nothing is wider than the screen")
                    .isLessThanOrEqualTo(width);
            for (String scheme : List.of("light", "dark")) {
                browser.prefer(scheme);
                assertThat(browser.obstacles()).as(scheme).isEmpty();
            }
            source.close();
        }
    }
}
