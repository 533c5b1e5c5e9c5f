package org.naklab.lab.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SeriesMaxima;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.WindowDirectories;
import org.naklab.lab.records.Stall;
import org.naklab.testing.Await;
import org.naklab.testing.events.Samples;

/** Several tests share one watch, of which the instruments are stand-ins. */
@Timeout(60)
class SelfWatchTest {
    private static final Interval TEST = new Interval(1_000, 5_000);
    private static final String PROCESS = String.valueOf(ProcessHandle.current().pid());
    private static final long MS = 1_000_000;
    private static final int PORT = 40_123;

    @TempDir
    private Path directory;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final StandIns instruments = new StandIns();
    private int attached;
    private SelfWatch watch;

    @BeforeEach
    void attach() {
        at(60_000);
        watch = new SelfWatch(clock, (listener, consumer, errorHandler) -> {
            attached++;
            instruments.listener = listener;
            instruments.consumer = consumer;
            instruments.errorHandler = errorHandler;
            return instruments;
        });
    }

    /** A test whose method is over sends nothing more: the silence that follows is none of the feed. */
    @Test
    void shouldNotCountASilenceThatGoesOnAfterTheTest() {
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 4_000, 2_000)).isTrue();
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 6_000, 1_000)).isTrue();
        assertThat(isOfTheEnd(TimelineEventType.FEED_SILENT, 2_000, 3_000)).isFalse();
        assertThat(isOfTheEnd(TimelineEventType.STALL, 4_000, 2_000)).isFalse();
    }

    private static boolean isOfTheEnd(TimelineEventType type, long beganNs, long durationNs) {
        TimelineEvent event =
                TimelineEvent.of(beganNs, type, "1", Samples.whole(type.form(), Map.of("durationNs", durationNs)));
        assertThat(event.endNs()).isEqualTo(beganNs + durationNs);
        return SelfWatch.isOfTheEnd(event, TEST);
    }

    @Test
    void shouldAttachOnceForAllTestsAndEndWithTheLast() {
        for (String test : List.of("first", "second", "third")) {
            at(clock.nanoTime() / MS + 100);
            SelfWatchPart part = begin(test);
            at(clock.nanoTime() / MS + 100);
            assertThat(part.end().isQuiet()).isTrue();
            part.close();
        }
        assertThat(instruments.isClosed).isFalse();
        watch.close();

        assertThat(attached).isEqualTo(1);
        assertThat(instruments.isClosed).isTrue();
    }

    @Test
    void shouldGiveEachTestWhatBeganInIt() {
        happen(dropped(61_000, 1));
        at(62_000);
        SelfWatchPart first = begin("first");
        happen(dropped(62_100, 96));
        happen(stall(62_050, 300));
        at(63_000);
        WatchFindings ofFirst = first.end();
        happen(dropped(63_500, 5));
        happen(stall(63_400, 100));
        at(64_000);
        SelfWatchPart second = begin("second");
        happen(dropped(64_100, 7));
        at(65_000);
        WatchFindings ofSecond = second.end();
        at(66_000);
        SelfWatchPart third = begin("third");
        at(67_000);

        assertThat(ofFirst.feed().losses().dropped().all()).isEqualTo(96);
        assertThat(ofFirst.standstills().stalls()).hasSize(1);
        assertThat(ofSecond.feed().losses().dropped().all()).isEqualTo(7);
        assertThat(ofSecond.standstills().stalls()).isEmpty();
        assertThat(third.end().isQuiet()).isTrue();
    }

    /** Events that are told late count; those that happen later do not, however soon they are told. */
    @Test
    void shouldCountWhatIsToldAfterTheEndOfTheTest() {
        at(62_000);
        SelfWatchPart part = begin("first");
        instruments.whenAsked = () -> {
            happen(dropped(62_500, 3));
            happen(dropped(63_001, 40));
            instruments.whenAsked = () -> {};
        };
        at(63_000);

        assertThat(part.end().feed().losses().dropped().all()).isEqualTo(3);
    }

    @Test
    void shouldCountAStallThatGoesOnUntilTheEndOfTheTest() {
        at(62_000);
        SelfWatchPart part = begin("first");
        instruments.whenAsked = () -> {
            happen(stall(62_900, 400));
            instruments.whenAsked = () -> {};
        };
        at(63_000);

        assertThat(part.end().standstills().stalls())
                .extracting(Stall::durationMs)
                .containsExactly(100.0);
    }

    /** JFR tells a second later where a thread was in Java. */
    @Test
    void shouldWaitForWhatExplainsAStallAndForNothingElse() {
        at(62_000);
        Deque<Long> toldNs = new ArrayDeque<>(List.of(62_000 * MS, 63_900 * MS, 64_000 * MS));
        instruments.told = toldNs::removeFirst;
        SelfWatchPart quiet = begin("quiet");
        at(63_000);
        assertThat(quiet.end().isQuiet()).isTrue();
        assertThat(toldNs).as("nobody has asked").hasSize(3);

        SelfWatchPart stalled = begin("stalled");
        happen(stall(63_100, 300));
        at(64_000);
        assertThat(stalled.end().standstills().stalls()).hasSize(1);
        assertThat(toldNs).isEmpty();
    }

    @Test
    void shouldSayOfEachTestWhatWasNotSeenInIt() {
        at(62_000);
        SelfWatchPart first = begin("first");
        instruments.behind = Map.of("the sampler", 63_000 * MS);
        progress(65_000);
        instruments.behind = Map.of();
        progress(66_000);
        at(67_000);
        assertThat(first.end().blind())
                .containsExactly("the sampler saw nothing from 1.0 s of the test to 4.0 s of the test");

        SelfWatchPart second = begin("second");
        at(68_000);
        assertThat(second.end().isQuiet()).isTrue();

        SelfWatchPart third = begin("third");
        instruments.behind = Map.of("the kernel recorder", 68_500 * MS);
        at(70_500);
        assertThat(third.end().blind())
                .as("it has never seen again")
                .containsExactly("the kernel recorder has seen nothing since 0.5 s of the test");
    }

    @Test
    void shouldSayThatTheInstrumentsHaveNotToldAll() {
        at(62_000);
        SelfWatchPart part = begin("first");
        instruments.isTold = false;
        instruments.whenAsked = () -> clock.advance(1_000 * MS);

        assertThat(part.end().blind()).containsExactly("the instruments have not told all that they have seen");
    }

    @Test
    void shouldFailEachTestAfterAnInstrumentHasFailed() {
        at(62_000);
        SelfWatchPart part = begin("first");
        instruments.errorHandler.onError(new IllegalStateException("a bug"));

        assertThatThrownBy(part::end)
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("an instrument failed")
                .hasMessageContaining("a bug");
        assertThatThrownBy(() -> begin("second")).isInstanceOf(DetectException.class);
    }

    /** The end of one window ends neither the watch nor the recording of the next test. */
    @Test
    void shouldRecordAWindowOfEachTest() throws Exception {
        instruments.sockets.add(socket(1, PORT, 1_000));
        instruments.sockets.add(socket(2, 40_200, 0));
        instruments.open.add(socket(1, PORT, 1_000));
        AtomicLong rounds = new AtomicLong();
        Thread background = new Thread(() -> {
            while (!instruments.isClosed) {
                instruments.consumer.onProgress(clock.nanoTime());
                rounds.incrementAndGet();
                LockSupport.parkNanos(MS);
            }
        });
        background.start();
        instruments.whenAsked = () -> {
            long begun = rounds.get();
            Await.until("what has come is handed on", () -> rounds.get() > begun + 1);
        };
        for (int test = 1; test <= 2; test++) {
            at(62_000 + 10_000L * test);
            SelfWatchPart part = begin("test" + test);
            happen(dropped(62_500 + 10_000L * test, 96));
            instruments.sockets.set(0, socket(1, PORT, 1_000 + 96L * test));
            at(63_000 + 10_000L * test);
            assertThat(part.end().feed().losses().dropped().all()).isEqualTo(96);
            assertThat(directory.resolve("test" + test)).isDirectoryContaining("glob:**" + IncidentRecorder.TIMELINE);
        }
        watch.close();
        background.join();

        assertThat(instruments.written)
                .as("what each socket lost in the test, not before; one that was closed before is none of it")
                .containsExactly("test1: 1 lost 96", "test2: 1 lost 96");
    }

    private SelfWatchPart begin(String test) {
        return watch.begin(test, directory.resolve(test));
    }

    private void at(long ms) {
        clock.update(ms * MS);
    }

    private void progress(long ms) {
        at(ms);
        instruments.consumer.onProgress(ms * MS);
    }

    private void happen(TimelineEvent event) {
        instruments.listener.onEvent(event);
        instruments.consumer.onEvent(event);
    }

    private static TimelineEvent dropped(long atMs, long datagrams) {
        return TimelineEvent.of(
                atMs * MS,
                TimelineEventType.DATAGRAMS_DROPPED,
                PROCESS,
                Samples.whole(TimelineEventType.DATAGRAMS_DROPPED.form(), Map.of("datagrams", datagrams, "port", (long)
                        PORT)));
    }

    private static TimelineEvent stall(long beginMs, long lengthMs) {
        return TimelineEvent.of(
                beginMs * MS,
                TimelineEventType.STALL,
                PROCESS,
                "feed",
                Map.of("durationNs", lengthMs * MS, "endNs", (beginMs + lengthMs) * MS));
    }

    private static SocketSummary socket(long inode, int port, long drops) {
        return new SocketSummary(
                new SocketIdentity(inode, false, "127.0.0.1", port), List.of(), 0, 0, 0, 212_992, drops, Headroom.NONE);
    }

    /** Instruments that see what the test says. */
    private final class StandIns implements SelfWatch.Instruments {
        private final List<SocketSummary> sockets = new ArrayList<>();
        private final List<SocketSummary> open = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private TimelineListener listener = event -> {};
        private SampleConsumer consumer = new SeriesMaxima();
        private ErrorHandler errorHandler = error -> {};
        private Runnable whenAsked = () -> {};
        private volatile Map<String, Long> behind = Map.of();
        private volatile boolean isClosed;
        private boolean isTold = true;
        private LongSupplier told = clock::nanoTime;

        @Override
        public IncidentRecorder newRecorder(WindowDirectories directories) {
            return IncidentRecorder.untilDrained(directories);
        }

        @Override
        public SelfWatch.Cut cutAfter(long timeNs) {
            return new SelfWatch.Cut() {
                @Override
                public long cutNs() {
                    return timeNs;
                }

                @Override
                public boolean isTold(long nowNs) {
                    whenAsked.run();
                    return isTold;
                }
            };
        }

        @Override
        public List<SocketSummary> sockets() {
            return sockets;
        }

        @Override
        public List<SocketSummary> openSockets() {
            return open;
        }

        @Override
        public long toldNs(long nowNs) {
            return told.getAsLong();
        }

        @Override
        public List<TimelineEvent> observedUntil(long nowNs) {
            return List.of();
        }

        @Override
        public Map<String, Long> behind(long nowNs) {
            return behind;
        }

        @Override
        public Optional<String> write(
                String title, IncidentRecorder.Window window, List<SocketSummary> lost, WatchFindings findings) {
            lost.forEach(socket -> written.add(title + ": " + socket.identity().inode() + " lost " + socket.drops()));
            return Optional.empty();
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
