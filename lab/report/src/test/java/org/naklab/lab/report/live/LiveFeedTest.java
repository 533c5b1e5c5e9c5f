package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.core.pace.ProcessPace;
import org.naklab.lab.core.pace.ProcessPace.Stage;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.records.DiagnosisRecord;
import org.naklab.lab.records.Stall;
import org.naklab.lab.report.FixtureRun;
import org.naklab.lab.report.SampleSeries;
import org.naklab.lab.report.Samples;

@Timeout(60)
final class LiveFeedTest {
    private static final long MS = 1_000_000;
    private static final long BEGIN_NS = 5_000 * MS;
    private static final SeriesName DEPTH = SeriesName.of("socket.4711.127.0.0.1:40123#77.depthBytes");
    private static final SeriesName DROPS = DEPTH.sibling("drops");

    private long nowNs = BEGIN_NS;

    @TempDir
    private Path directory;

    private final LiveFeed feed = LiveFeed.of("process 4711", Playable.Kind.WATCH, () -> nowNs);
    private final LiveSource source = feed.open();
    private final FilmPlayer player = new FilmPlayer(feed);

    LiveFeedTest() {
        player.command(command("{\"columns\": 100, \"windowMs\": 1000}"));
    }

    private static ViewerCommand command(String json) {
        return Json.fromLine(json, ViewerCommand.class);
    }

    private record Column(long number, double least, double largest, double last) {}

    private record Frame(
            boolean isPlaying, boolean isFollowing, double atMs, List<Double> silentMs, List<List<Column>> lines) {
        static Frame of(ByteBuffer in) {
            in.getShort();
            int flags = in.get();
            int lines = in.get();
            in.getInt();
            double atMs = in.getDouble();
            in.getDouble();
            long first = (long) in.getDouble();
            in.getDouble();
            in.getDouble();
            int count = in.getShort();
            in.getShort();
            List<Double> silent = new ArrayList<>();
            for (int stalls = in.get(); stalls > 0; stalls--) {
                in.getShort();
                silent.add((double) in.getFloat());
            }
            List<List<Column>> all = new ArrayList<>();
            for (int line = 0; line < lines; line++) {
                List<Column> columns = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    columns.add(new Column(first + i, in.getFloat(), in.getFloat(), in.getFloat()));
                    in.getShort();
                }
                all.add(columns);
            }
            assertThat(in.hasRemaining()).isFalse();
            return new Frame((flags & 1) != 0, (flags & 2) != 0, atMs, silent, all);
        }
    }

    private static Frame frame(FilmPlayer of) {
        of.advance(33 * MS);
        List<Map<String, Object>> unused = of.messages();
        return Frame.of(of.frame(0));
    }

    /** Everything up to a time has been handed over, and is shown. */
    private void passUntil(long ms) {
        nowNs = BEGIN_NS + ms * MS + LiveFeed.LAG_NS;
        source.onSample(BEGIN_NS + ms * MS, SeriesName.of("sampler.maxLatenessNs"), ms);
        source.onProgress(BEGIN_NS + ms * MS);
    }

    private void depth(long ms, long bytes) {
        source.onSample(BEGIN_NS + ms * MS, DEPTH, bytes);
    }

    private Strip strip(StripKind kind) {
        return feed.strips().stream()
                .filter(strip -> strip.id().equals(kind.of(List.of()).id()))
                .findFirst()
                .orElseThrow();
    }

    private static double[] column(StripLine line, long fromNs, long untilNs) {
        ByteBuffer out = ByteBuffer.allocate(StripLine.COLUMN_BYTES);
        line.append(out, fromNs, untilNs);
        out.flip();
        return new double[] {out.getFloat(), out.getFloat(), out.getFloat()};
    }

    private double[] column(StripKind kind, long fromMs, long untilMs) {
        return column(strip(kind).lines().get(0), BEGIN_NS + fromMs * MS, BEGIN_NS + untilMs * MS);
    }

    private record Row(long timeNs, SeriesName series, long value) {}

    /** What a viewer sees while a run goes on is what the film of its record shows afterwards. */
    @Test
    void shouldShowWhatTheFilmOfTheSameSamplesShows() throws IOException {
        Path run = FixtureRun.copyTo(Files.createDirectories(directory.resolve("run")));
        Film film = FilmReader.read(
                "run", name -> Files.exists(run.resolve(name)) ? Files.newInputStream(run.resolve(name)) : null);
        Samples samples = Samples.read(Files.newInputStream(run.resolve("samples.csv.gz")), "samples");
        nowNs = samples.bySeries().values().stream()
                .mapToLong(series -> series.timeNs(0))
                .min()
                .orElseThrow();
        LiveFeed live = LiveFeed.of("run", Playable.Kind.RUN, () -> nowNs);
        LiveSource of = live.open();
        List<Row> rows = new ArrayList<>();
        samples.bySeries().forEach((name, series) -> addAll(rows, name, series));
        rows.sort(Comparator.comparingLong(Row::timeNs));
        rows.forEach(row -> of.onSample(row.timeNs(), row.series(), row.value()));
        nowNs = rows.get(rows.size() - 1).timeNs() + LiveFeed.LAG_NS;
        of.onProgress(nowNs);
        long endNs = live.endNs();
        int compared = 0;
        for (Strip strip : live.strips()) {
            for (StripLine line : strip.lines()) {
                List<StripLine> same = film.strips().stream()
                        .filter(each -> each.id().equals(strip.id()))
                        .flatMap(each -> each.lines().stream())
                        .filter(each -> each.name().equals(line.name()) && each.kind() == line.kind())
                        .toList();
                if (!same.isEmpty()) {
                    compared++;
                    double most = same.stream()
                            .mapToDouble(each -> column(each, live.beginNs() - 1, endNs)[1])
                            .sum();
                    assertThat(column(line, live.beginNs() - 1, endNs)[1])
                            .as(strip.id() + " " + line.name())
                            .isEqualTo(most);
                }
            }
        }
        assertThat(compared).isGreaterThan(5);
        assertThat(live.strips()).extracting(Strip::id).contains("depth", "headroom", "silence", "naks", "memory");
    }

    private static void addAll(List<Row> rows, SeriesName name, SampleSeries series) {
        for (int i = 0; i < series.size(); i++) {
            rows.add(new Row(series.timeNs(i), name, series.value(i)));
        }
    }

    @Test
    void shouldNotShowATimeOfWhichSamplesMayStillCome() {
        depth(0, 0);
        passUntil(100);
        nowNs += 5_000 * MS;
        assertThat(frame(player).atMs()).isEqualTo(100);
    }

    @Test
    void shouldFollowThePresentUntilAViewerPauses() {
        depth(0, 0);
        passUntil(100);
        assertThat(frame(player)).extracting(Frame::atMs, Frame::isFollowing).containsExactly(100.0, true);
        player.command(command("{\"play\": false}"));
        passUntil(300);
        assertThat(frame(player)).extracting(Frame::atMs, Frame::isPlaying).containsExactly(100.0, false);
        player.command(command("{\"play\": true}"));
        assertThat(frame(player)).extracting(Frame::atMs, Frame::isFollowing).containsExactly(133.0, false);
        player.command(command("{\"live\": true}"));
        assertThat(frame(player)).extracting(Frame::atMs, Frame::isFollowing).containsExactly(300.0, true);
    }

    @Test
    void shouldCountUpWhileNobodyReadsASocket() {
        depth(0, 0);
        depth(100, 2_048);
        depth(110, 4_096);
        passUntil(212);
        player.advance(33 * MS);
        assertThat(player.messages().toString()).contains("the reader of port 40123");
        assertThat(frame(player).silentMs()).containsExactly(112.0);
        passUntil(250);
        assertThat(frame(player).silentMs()).containsExactly(150.0);
        depth(260, 0);
        passUntil(300);
        assertThat(frame(player).silentMs()).isEmpty();
    }

    @Test
    void shouldNotTakeAReaderThatReadsForOneThatDoesNot() {
        for (long ms = 0; ms < 300; ms += 10) {
            depth(ms, ms % 20 == 0 ? 4_096 : 2_048);
            passUntil(ms);
            assertThat(frame(player).silentMs()).isEmpty();
        }
    }

    /** The instruments know the thread and the exact times. What they do not report was no stall. */
    @Test
    void shouldShowWhatTheInstrumentsReportInPlaceOfWhatWasNoticed() {
        depth(0, 0);
        depth(100, 2_048);
        passUntil(200);
        depth(210, 0);
        source.onEvent(stall(95, 115));
        passUntil(500);
        frame(player);
        assertThat(feed.stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.thread()).isEqualTo("receiver");
            assertThat(stall.beginNs()).isEqualTo(BEGIN_NS + 95 * MS);
            assertThat(stall.endNs()).isEqualTo(BEGIN_NS + 210 * MS);
        });
        assertThat(column(StripKind.SILENCE, 90, 220)[1]).isEqualTo(115);
        depth(600, 2_048);
        passUntil(650);
        depth(660, 0);
        passUntil(700);
        assertThat(feed.stalls()).hasSize(2);
        assertThat(column(StripKind.SILENCE, 590, 700)[1]).isEqualTo(60);
        passUntil(5_000);
        assertThat(feed.stalls()).hasSize(1);
        assertThat(column(StripKind.SILENCE, 590, 700)[1]).isZero();
    }

    /** When the machine stands still, nobody has seen whether the socket was read. */
    @Test
    void shouldNotTakeALateSamplerForAReaderThatDoesNotRead() {
        depth(0, 0);
        depth(100, 2_048);
        nowNs = BEGIN_NS + 400 * MS;
        source.onProgress(nowNs);
        assertThat(frame(player)).extracting(Frame::atMs, Frame::silentMs).containsExactly(100.0, List.of());
        depth(110, 0);
        passUntil(420);
        assertThat(feed.stalls()).isEmpty();
    }

    /** The process itself may tell that a stall is over before an instrument tells that it has begun. */
    @Test
    void shouldNotBeginAStallThatIsOver() {
        depth(0, 0);
        source.onSample(BEGIN_NS, SeriesName.of("heartbeat.4711.receiver.longestGapNs"), 0);
        source.onEvent(stall(95, 115));
        source.onEvent(began(95));
        passUntil(400);
        assertThat(frame(player).silentMs()).isEmpty();
        source.onEvent(began(450));
        passUntil(500);
        assertThat(frame(player).silentMs()).containsExactly(50.0);
        source.onSample(BEGIN_NS + 510 * MS, SeriesName.of("heartbeat.4711.receiver.gapNs"), 60 * MS);
        passUntil(520);
        assertThat(frame(player).silentMs()).isEmpty();
        assertThat(column(StripKind.SILENCE, 0, 300)[1]).isEqualTo(115);
        assertThat(column(StripKind.SILENCE, 300, 520)[1]).isEqualTo(60);
    }

    private static TimelineEvent began(long atMs) {
        return TimelineEvent.of(BEGIN_NS + atMs * MS, TimelineEventType.STALL_BEGAN, "4711", "receiver", Map.of());
    }

    private static TimelineEvent stall(long atMs, long lengthMs) {
        return TimelineEvent.of(
                BEGIN_NS + atMs * MS,
                TimelineEventType.STALL,
                "4711",
                "receiver",
                Map.of("durationNs", lengthMs * MS, "endNs", BEGIN_NS + (atMs + lengthMs) * MS));
    }

    @Test
    void shouldAddTheAccountAndTheCauseOfAStall() {
        source.onEvent(stall(95, 115));
        passUntil(500);
        frame(player);
        feed.account(new Stall("4711", BEGIN_NS + 95 * MS, 115, "receiver", 0, "lock-wait", StallAccount.NONE));
        passUntil(501);
        player.advance(33 * MS);
        assertThat(player.messages().toString()).contains("lock-wait");
    }

    /** Columns that a viewer has already are sent again if a stall of their time becomes known. */
    @Test
    void shouldSendColumnsAgainThatHaveChanged() {
        depth(0, 0);
        passUntil(600);
        frame(player);
        frame(player);
        source.onEvent(stall(95, 115));
        Frame changed = frame(player);
        assertThat(changed.lines().get(2).get(0).number()).isEqualTo(9);
        assertThat(changed.lines().get(2)).anyMatch(column -> column.largest() > 100);
        passUntil(601);
        assertThat(frame(player).lines().get(0)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void shouldDescribeTheStripsAgainWhenALineIsNew() {
        depth(0, 0);
        passUntil(10);
        assertThat(player.messages().get(0)).containsEntry("kind", "watch").containsKey("strips");
        assertThat(player.messages()).isEmpty();
        source.onSample(BEGIN_NS + 10 * MS, DROPS, 7);
        source.onSample(BEGIN_NS + 20 * MS, DROPS, 19);
        passUntil(30);
        player.advance(33 * MS);
        assertThat(player.messages().get(0)).containsKey("strips");
        assertThat(column(StripKind.DROPS, 0, 30)[1]).isEqualTo(12);
    }

    @Test
    void shouldShowTheFullestSocketOfAProcess() {
        SeriesName other = SeriesName.of("socket.4711.127.0.0.1:40124#78.depthBytes");
        depth(0, 1_024);
        source.onSample(BEGIN_NS + 10 * MS, other, 8_192);
        depth(20, 2_048);
        source.onSample(BEGIN_NS + 30 * MS, other, 0);
        assertThat(strip(StripKind.DEPTH).lines()).hasSize(2);
        assertThat(column(StripKind.DEPTH, 12, 25)).containsExactly(8, 8, 8);
        assertThat(column(StripKind.DEPTH, 32, 40)).containsExactly(2, 2, 2);
        source.onEvent(new SocketEvent.Closed(BEGIN_NS + 40 * MS, "4711", new SocketEvent.Socket(77, "", 0, "")));
        passUntil(50);
        assertThat(column(StripKind.DEPTH, 250, 260)).containsExactly(0, 0, 0);
    }

    /** 64 KiB fill at 2 KiB a millisecond. */
    @Test
    void shouldShowHowLongTheBufferLastsAtTheRateAtWhichItFills() {
        source.onSample(BEGIN_NS, DEPTH.sibling("limitBytes"), 65_536);
        depth(0, 0);
        passUntil(10);
        assertThat(feed.strips()).extracting(Strip::id).doesNotContain("headroom");
        for (long ms = 1; ms <= 16; ms++) {
            depth(100 + ms, ms * 2_048);
        }
        passUntil(118);
        assertThat(column(StripKind.HEADROOM, 117, 118)).containsExactly(16, 16, 16);
        depth(120, 0);
        passUntil(130);
        assertThat(column(StripKind.HEADROOM, 125, 130)).containsExactly(32, 32, 32);
    }

    /** Ten minutes at 1 kHz need no more room than two. */
    @Test
    void shouldKeepTheLatestSamplesOnly() {
        for (long ms = 0; ms < 600_000; ms++) {
            depth(ms, ms % 2 == 0 ? 1_024 : 2_048);
        }
        passUntil(600_000);
        assertThat(feed.endNs()).isEqualTo(BEGIN_NS + 600_000 * MS);
        assertThat(feed.earliestNs()).isEqualTo(BEGIN_NS + 600_000 * MS - LiveFeed.KEPT_NS);
        assertThat(column(StripKind.DEPTH, 0, 1_000)[1]).isNaN();
        assertThat(column(StripKind.DEPTH, 480_000, 481_000)).containsExactly(1, 2, 2);
        assertThat(column(StripKind.DEPTH, 599_000, 600_000)).containsExactly(1, 2, 2);
    }

    @Test
    void shouldKeepTheLatestSilencesWhole() {
        StripLine line = StripLine.growing("mds", "suspect", StripLine.Kind.SILENCE);
        for (long i = 0; i < StripLine.MAX_KEPT; i++) {
            line.endSilence(i * 10 * MS, (i * 10 + 4) * MS);
        }
        long lastMs = (StripLine.MAX_KEPT - 1) * 10L;
        assertThat(column(line, lastMs * MS, (lastMs + 10) * MS)[1]).isEqualTo(4);
        assertThat(column(line, (lastMs + 5) * MS, (lastMs + 9) * MS)[1]).isZero();
    }

    @Test
    void shouldKeepTheVerdictUntilTheRunHasEndedAndSomebodyAsks() throws IOException {
        Path run = FixtureRun.copyTo(Files.createDirectories(directory.resolve("run")));
        LiveFeed live = LiveFeed.of("run", Playable.Kind.RUN, () -> nowNs);
        FilmPlayer viewer = new FilmPlayer(live);
        FilmPlayer other = new FilmPlayer(live);
        viewer.command(command("{\"reveal\": true}"));
        assertThat(viewer.messages().toString()).doesNotContain("verdict");
        live.end(run, "The run has ended: pass.");
        assertThat(viewer.messages().toString()).contains("late-binding");
        assertThat(other.messages().toString())
                .contains("The run has ended: pass.")
                .doesNotContain("late-binding");
    }

    /** A service that is started again and again, each time with another process id. */
    @Test
    void shouldMakeRoomForTheLinesOfProcessesThatStartLater() {
        source.close();
        for (int pid = 5_000; pid < 5_100; pid++) {
            LiveSource one = feed.open();
            one.onSample(nowNs, SeriesName.of("socket." + pid + ".127.0.0.1:40123#77.depthBytes"), 1_024);
            one.onSample(nowNs, SeriesName.of("memory.freeBytes"), pid);
            one.close();
        }
        List<String> names =
                strip(StripKind.DEPTH).lines().stream().map(StripLine::name).toList();
        assertThat(names).contains("5099", "5098").doesNotContain("5000");
        assertThat(feed.strips().stream()
                        .mapToInt(strip -> strip.lines().size())
                        .sum())
                .isLessThanOrEqualTo(60);
        assertThat(strip(StripKind.MEMORY).lines()).hasSize(1);
    }

    @Test
    void shouldNotKeepMoreEventsThanAPageShows() {
        for (int i = 0; i < 10_000; i++) {
            source.onEvent(
                    TimelineEvent.of(BEGIN_NS + i * MS, TimelineEventType.NAK_SENT, "4711", Map.of("naks", (long) i)));
        }
        passUntil(10_000);
        Playable.Told told = feed.told(0, feed.endNs());
        assertThat(told.scenes()).hasSize(1_000);
        assertThat(told.next()).isEqualTo(10_000);
        assertThat(feed.told(told.next(), feed.endNs()).scenes()).isEmpty();
    }

    private void pace(long ms, Map<Stage, Long> passed, ProcessPace.@Nullable Latency latency) {
        String process = passed.containsKey(Stage.SENT) ? "exchange" : "mds";
        source.onPace(new ProcessPace(BEGIN_NS + ms * MS, process, passed, latency));
    }

    private StripLine line(StripKind kind, String name) {
        return strip(kind).lines().stream()
                .filter(line -> line.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private double last(StripKind kind, String name, long fromMs, long untilMs) {
        return column(line(kind, name), BEGIN_NS + fromMs * MS, BEGIN_NS + untilMs * MS)[2];
    }

    @Test
    void shouldShowHowManyEventsPassEachStageSinceTheReportBefore() {
        pace(0, Map.of(Stage.SENT, 1_000L), null);
        pace(10, Map.of(Stage.RECEIVED, 900L, Stage.APPLIED, 800L, Stage.JOURNALED, 700L), null);
        pace(250, Map.of(Stage.SENT, 6_000L), null);
        pace(260, Map.of(Stage.RECEIVED, 1_900L, Stage.APPLIED, 1_300L, Stage.JOURNALED, 700L), null);

        assertThat(last(StripKind.RATE, "exchange, sent", 100, 110)).isEqualTo(20_000);
        assertThat(last(StripKind.RATE, "mds, received", 100, 110)).isEqualTo(4_000);
        assertThat(last(StripKind.RATE, "mds, applied", 100, 110)).isEqualTo(2_000);
        assertThat(last(StripKind.RATE, "mds, journaled", 100, 110)).isZero();
        assertThat(line(StripKind.RATE, "mds, applied").stage()).isEqualTo("applied");
    }

    @Test
    void shouldShowThePercentilesOfEachIntervalAndNoneWhereNoEventCame() {
        Map<Stage, Long> passed = Map.of(Stage.RECEIVED, 1L);
        pace(0, passed, new ProcessPace.Latency(0, 0, 0, 0));
        pace(250, passed, new ProcessPace.Latency(100, 50, 3_000, 150_000));
        pace(500, passed, new ProcessPace.Latency(0, 0, 0, 0));
        pace(750, passed, new ProcessPace.Latency(100, 60, 70, 80));

        assertThat(last(StripKind.PERCENTILES, "mds, 50 %", 100, 110)).isEqualTo((float) 0.05);
        assertThat(last(StripKind.PERCENTILES, "mds, 99 %", 100, 110)).isEqualTo(3);
        assertThat(last(StripKind.PERCENTILES, "mds, 99.9 %", 100, 110)).isEqualTo(150);
        assertThat(last(StripKind.PERCENTILES, "mds, 99.9 %", 400, 410)).isNaN();
        assertThat(column(line(StripKind.PERCENTILES, "mds, 99.9 %"), BEGIN_NS, BEGIN_NS + 400 * MS)[1])
                .as("a peak does not vanish beside an interval without events")
                .isEqualTo(150);
        assertThat(last(StripKind.PERCENTILES, "mds, 99.9 %", 600, 610)).isEqualTo((float) 0.08);
    }

    @Test
    void shouldShowTheBytesOfAllStreamsOfAProcessAndItsQueues() {
        SeriesName first = SeriesName.of("aeron.mds.stream1001.session7.highestPositionBytes");
        SeriesName second = SeriesName.of("aeron.mds.stream1002.session8.highestPositionBytes");
        source.onSample(BEGIN_NS, first, 1_024);
        source.onSample(BEGIN_NS, second, 0);
        source.onSample(BEGIN_NS + 10 * MS, first, 3_072);
        source.onSample(BEGIN_NS + 20 * MS, second, 1_024);
        source.onSample(BEGIN_NS + 20 * MS, SeriesName.of("aeron.mds.stream1001.session7.wholePositionBytes"), 9_999);
        source.onSample(BEGIN_NS + 20 * MS, SeriesName.of("gauge.mds.ringDepthSlots"), 17);
        source.onSample(BEGIN_NS + 20 * MS, SeriesName.of("gauge.mds.journalLagMessages"), 3);

        assertThat(last(StripKind.TRAFFIC, "mds", 0, 100)).isEqualTo(3);
        assertThat(last(StripKind.QUEUES, "ring of mds", 50, 60)).isEqualTo(17);
        assertThat(last(StripKind.QUEUES, "journal of mds", 50, 60)).isEqualTo(3);
        assertThat(strip(StripKind.QUEUES).lines()).extracting(StripLine::stage).containsExactly("journal", "ring");
    }

    /** As the accountant of the diagnosis: what no page fault covers is unexplained. */
    private static StallAccount ofFaults(TimelineEvent stall, List<TimelineEvent> events) {
        double faultsMs = events.stream()
                .filter(PageFault.class::isInstance)
                .mapToDouble(event -> event.interval().lengthMs())
                .sum();
        return new StallAccount(List.of(
                new AccountEntry(AccountKind.PAGE_FAULT, faultsMs, "libc.so.6"),
                new AccountEntry(AccountKind.UNEXPLAINED, stall.interval().lengthMs() - faultsMs, "")));
    }

    private static PageFault fault(long fromMs, long untilMs) {
        Interval interval = new Interval(BEGIN_NS + fromMs * MS, BEGIN_NS + untilMs * MS);
        return new PageFault("mds", "mds-context", interval, true, "libc.so.6", "");
    }

    private static void pass(LiveSource of, LiveFeed in, Runnable clock, long ms) {
        clock.run();
        of.onSample(BEGIN_NS + ms * MS, SeriesName.of("heartbeat.mds.mds-context.longestGapNs"), ms);
        of.onProgress(BEGIN_NS + ms * MS);
        assertThat(in.endNs()).isEqualTo(BEGIN_NS + ms * MS);
    }

    private static List<Map<String, Object>> messages(FilmPlayer of, String kind) {
        of.advance(33 * MS);
        return of.messages().stream().filter(each -> each.containsKey(kind)).toList();
    }

    private void shouldTellTheAccountOfAStallWhileItLasts(Playable.Kind shownKind, boolean isAsked) {
        LiveFeed shown = LiveFeed.of("it", shownKind, () -> nowNs);
        LiveSource of = shown.open(LiveFeedTest::ofFaults);
        FilmPlayer viewer = new FilmPlayer(shown);
        if (isAsked) {
            viewer.command(command("{\"reveal\": true}"));
        }
        of.onEvent(new ThreadEvent.StallBegan(BEGIN_NS + 100 * MS, "mds", "mds-context", BEGIN_NS + 120 * MS));
        of.onEvent(fault(100, 130));
        pass(of, shown, () -> nowNs = BEGIN_NS + 150 * MS + LiveFeed.LAG_NS, 150);
        boolean isTold = isAsked || shownKind == Playable.Kind.WATCH;
        List<Map<String, Object>> first = messages(viewer, "accounts");
        of.onEvent(fault(130, 190));
        pass(of, shown, () -> nowNs = BEGIN_NS + 200 * MS + LiveFeed.LAG_NS, 200);
        List<Map<String, Object>> second = messages(viewer, "accounts");
        if (isTold) {
            assertThat(first.toString()).contains("kind=page fault", "ms=30.0", "kind=not known yet", "ms=20.0");
            assertThat(second.toString()).contains("ms=90.0", "ms=10.0");
        } else {
            assertThat(first).isEmpty();
            assertThat(second).isEmpty();
        }
        of.onEvent(new ThreadStall(
                BEGIN_NS + 100 * MS,
                TimelineEventType.STALL,
                "mds",
                "mds-context",
                Interruption.UNKNOWN,
                new ThreadStall.Sight(110 * MS, BEGIN_NS + 210 * MS, null, false, null, null)));
        of.onEvent(fault(190, 205));
        pass(of, shown, () -> nowNs = BEGIN_NS + 300 * MS + LiveFeed.LAG_NS, 300);
        String ended = messages(viewer, "stalls").toString();
        assertThat(ended).contains("lengthMs=110.0");
        if (isTold) {
            assertThat(ended).contains("ms=105.0", "ms=5.0");
            assertThat(messages(viewer, "accounts").toString()).doesNotContain("page fault");
        } else {
            assertThat(ended).contains("parts=[]").doesNotContain("page fault");
        }
    }

    @Test
    void shouldTellTheAccountOfAWatchedStallWhileItLasts() {
        shouldTellTheAccountOfAStallWhileItLasts(Playable.Kind.WATCH, false);
    }

    @Test
    void shouldTellTheAccountOfAStallOfARunWhileItLastsToThoseWhoAskForTheCause() {
        shouldTellTheAccountOfAStallWhileItLasts(Playable.Kind.RUN, true);
    }

    @Test
    void shouldKeepTheAccountOfAStallThatLastsFromThoseWhoDoNotAsk() {
        shouldTellTheAccountOfAStallWhileItLasts(Playable.Kind.RUN, false);
    }

    @Test
    void shouldKeepAllAccountsOfASealedRunFromAudiences() {
        LiveFeed sealed = LiveFeed.ofInstructor("Run 1", true);
        LiveSource of = sealed.open(LiveFeedTest::ofFaults);
        FilmPlayer viewer = new FilmPlayer(sealed);
        viewer.command(command("{\"reveal\": true}"));
        long beginNs = System.nanoTime();
        of.onEvent(new ThreadEvent.StallBegan(beginNs, "mds", "mds-context", beginNs));
        of.onProgress(beginNs + 30 * MS);

        assertThat(sealed.openStalls()).hasSize(1);
        assertThat(messages(viewer, "accounts")).isEmpty();
        sealed.reveal();
        assertThat(messages(viewer, "accounts")).hasSize(1);
    }

    /** Its chain has as many links as events were told. */
    private static final class CountingExaminer implements StallExaminer {
        @Override
        public StallAccount account(TimelineEvent stall, List<TimelineEvent> events) {
            return StallAccount.NONE;
        }

        @Override
        public Optional<DiagnosisRecord> examine(TimelineEvent stall, List<TimelineEvent> events) {
            return Optional.of(new DiagnosisRecord(
                    new DiagnosisRecord.Named("late-binding", "likely"),
                    new DiagnosisRecord.Grounds(
                            List.of(),
                            events.stream()
                                    .map(each ->
                                            new DiagnosisRecord.Link(each.type().name(), true, true, each.timeNs()))
                                    .toList(),
                            List.of(new DiagnosisRecord.Suspect("traffic burst", true, "none"))),
                    new DiagnosisRecord.Advice(List.of(), List.of(), ""),
                    new DiagnosisRecord.Others(List.of(), null, List.of())));
        }
    }

    @Test
    void shouldTellTheChainAsItGrowsToThoseWhoAsk() {
        LiveFeed run = LiveFeed.of("run", Playable.Kind.RUN, () -> nowNs);
        LiveSource of = run.open(new CountingExaminer());
        FilmPlayer asks = new FilmPlayer(run);
        FilmPlayer other = new FilmPlayer(run);
        asks.command(command("{\"reveal\": true}"));
        of.onEvent(fault(110, 190));
        pass(of, run, () -> nowNs = BEGIN_NS + 205 * MS + LiveFeed.LAG_NS, 205);
        assertThat(messages(asks, "soFar")).as("no stall is over").isEmpty();
        of.onEvent(stallOf("mds", 100, 110));
        pass(of, run, () -> nowNs = BEGIN_NS + 300 * MS + LiveFeed.LAG_NS, 300);
        assertThat(messages(asks, "soFar")).singleElement().satisfies(told -> assertThat(told.toString())
                .contains("late-binding", "page fault", "traffic burst")
                .doesNotContain("nak sent"));
        assertThat(messages(asks, "soFar")).as("nothing more is known").isEmpty();
        of.onEvent(TimelineEvent.of(BEGIN_NS + 320 * MS, TimelineEventType.NAK_SENT, "mds", Map.of("naks", 1L)));
        pass(of, run, () -> nowNs = BEGIN_NS + 900 * MS + LiveFeed.LAG_NS, 900);
        assertThat(messages(asks, "soFar").toString()).contains("nak sent");
        assertThat(messages(other, "soFar")).as("has not asked").isEmpty();
    }

    private static TimelineEvent stallOf(String process, long atMs, long lengthMs) {
        return TimelineEvent.of(
                BEGIN_NS + atMs * MS,
                TimelineEventType.STALL,
                process,
                "receiver",
                Map.of("durationNs", lengthMs * MS, "endNs", BEGIN_NS + (atMs + lengthMs) * MS));
    }

    @Test
    void shouldKeepTheChainOfASealedRunFromAudiences() {
        LiveFeed sealed = LiveFeed.ofInstructor("Run 1", true);
        LiveSource of = sealed.open(new CountingExaminer());
        FilmPlayer viewer = new FilmPlayer(sealed);
        viewer.command(command("{\"reveal\": true}"));
        of.onEvent(stallOf("mds", 100, 110));
        assertThat(messages(viewer, "soFar")).isEmpty();
        sealed.reveal();
        assertThat(messages(viewer, "soFar")).hasSize(1);
    }
}
