package org.naklab.lab.watch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.instruments.sockets.SocketSummary;
import org.naklab.lab.instruments.threads.ReceiverStallDetector;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.instruments.watch.WatchCut;
import org.naklab.lab.instruments.watch.WindowDirectories;

/**
 * Watches the UDP sockets and the threads of this process, with the instruments of {@code naklab watch}, for one test after the other. The instruments are attached
 * once: sockets, threads and media drivers that appear later are followed. Thread-safe.
 */
public final class SelfWatch implements AutoCloseable {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The sampler looks ten times a second at least. */
    private static final long CUT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    /** A stall is kept back for as long as its reason may come. */
    private static final long PATIENCE_NS = ReceiverStallDetector.MOST_PATIENCE_NS + TimeUnit.SECONDS.toNanos(5);
    /** What began so long before a test may explain what happened in it. */
    private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(10);

    /** Events that count for the test in which they began; others explain them. */
    private static final Set<TimelineEventType> COUNTED = EnumSet.of(
            TimelineEventType.STALL,
            TimelineEventType.DATAGRAMS_DROPPED,
            TimelineEventType.DATAGRAMS_DISCARDED,
            TimelineEventType.DATAGRAMS_TAKEN,
            TimelineEventType.UDP_ERRORS,
            TimelineEventType.NAK_SENT,
            TimelineEventType.FEED_SILENT);

    /** JFR tells a second later where a thread was in Java meanwhile. */
    private static final Set<TimelineEventType> EXPLAINED_LATE =
            EnumSet.of(TimelineEventType.STALL, TimelineEventType.DATAGRAMS_DROPPED);

    private final NanoClock clock;
    private final WatchTimeline timeline = new WatchTimeline(event -> {});
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<SelfWatchPart> parts = new CopyOnWriteArrayList<>();
    private final Instruments instruments;

    /** The instruments of a watch that goes on. */
    interface Instruments extends AutoCloseable {
        /** Returns a recorder that is fed by its user. */
        IncidentRecorder newRecorder(WindowDirectories directories);

        /** Ends a time and begins another, CLOCK_MONOTONIC, ns. */
        Cut cutAfter(long timeNs);

        /** Returns the sockets that were seen so far. */
        List<SocketSummary> sockets();

        /** Returns the sockets that are open. */
        List<SocketSummary> openSockets();

        /** Returns until when stalls were told with all that explains them, ns. */
        long toldNs(long nowNs);

        /** Returns events that say what was looked at until now. */
        List<TimelineEvent> observedUntil(long nowNs);

        /** Returns the instruments that see nothing, each with the time until which it saw all. */
        Map<String, Long> behind(long nowNs);

        /** Writes the documents of a window; returns why they could not be written, or nothing. */
        Optional<String> write(
                String title, IncidentRecorder.Window window, List<SocketSummary> sockets, WatchFindings findings);

        @Override
        void close();
    }

    /** The end of a time within a watch. */
    interface Cut {
        /** Returns when the sockets were sampled after it, ns; the least value: not yet. */
        long cutNs();

        /** Returns whether all that was seen until it has been handed on; to be asked again and again. */
        boolean isTold(long nowNs);
    }

    /** Attaches the instruments. */
    interface Attaching {
        Instruments attach(TimelineListener listener, SampleConsumer consumer, ErrorHandler errorHandler);
    }

    SelfWatch(NanoClock clock, Attaching attaching) {
        this.clock = clock;
        instruments = attaching.attach(timeline, new ToParts(), error -> failure.compareAndSet(null, error));
    }

    /**
     * Attaches the instruments; takes a second or more, because a JFR recording is started.
     *
     * @param directory for files of the instruments; made if there is none
     * @throws DetectException the system cannot show the sockets of this process, or the directory cannot be made
     */
    public static SelfWatch start(Path directory) {
        try {
            OutputFile.directory(directory);
        } catch (IOException e) {
            throw new DetectException("cannot record in " + directory + ": " + e.getMessage(), e);
        }
        long pid = ProcessHandle.current().pid();
        return new SelfWatch(
                SystemNanoClock.INSTANCE,
                (listener, consumer, errorHandler) -> new OfThisProcess(Watch.attachShared(
                        String.valueOf(pid), pid, directory, listener, List.of(consumer), errorHandler)));
    }

    /**
     * Begins to watch a test. What was seen before does not count.
     *
     * @param title of what is watched, for people
     * @param directory of the recording; made if there is none
     * @throws DetectException an instrument failed, or the directory holds a recording already
     */
    public SelfWatchPart begin(String title, Path directory) {
        requireWhole();
        WindowDirectories directories = WindowDirectories.of(directory, 1);
        Cut cut = instruments.cutAfter(clock.nanoTime());
        boolean isCut = await(CUT_PATIENCE_NS, nowNs -> cut.cutNs() != Long.MIN_VALUE);
        SelfWatchPart part = new SelfWatchPart(
                this, title, instruments.newRecorder(directories), isCut ? cut.cutNs() : clock.nanoTime());
        if (parts.isEmpty()) {
            timeline.takeUntil(part.beganNs() - KEPT_NS);
        }
        parts.add(part);
        return part;
    }

    Instruments instruments() {
        return instruments;
    }

    NanoClock clock() {
        return clock;
    }

    void remove(SelfWatchPart part) {
        parts.remove(part);
    }

    void requireWhole() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new DetectException("an instrument failed: " + failed, failed);
        }
    }

    /** Waits until all that was seen in a test was told; false if that takes longer than anything is kept back. */
    boolean awaitTold(Interval counted) {
        Cut cut = instruments.cutAfter(counted.endNs());
        if (!await(PATIENCE_NS, cut::isTold)) {
            return false;
        }
        return events(counted).stream().noneMatch(event -> EXPLAINED_LATE.contains(event.type()))
                || await(PATIENCE_NS, nowNs -> instruments.toldNs(nowNs) >= counted.endNs());
    }

    private boolean await(long patienceNs, LongPredicate condition) {
        long deadlineNs = clock.nanoTime() + patienceNs;
        for (long nowNs = clock.nanoTime(); !condition.test(nowNs); nowNs = clock.nanoTime()) {
            if (nowNs - deadlineNs > 0) {
                return false;
            }
            LockSupport.parkNanos(POLL_NS);
        }
        return true;
    }

    /** Returns the events of a test, by time: what counts began in it, and ended with it at the latest. */
    List<TimelineEvent> events(Interval counted) {
        return timeline.in(counted).stream()
                .filter(event -> !COUNTED.contains(event.type()) || counted.contains(event.timeNs()))
                .filter(event -> !isOfTheEnd(event, counted))
                .map(event -> endedBy(event, counted.endNs()))
                .toList();
    }

    /** A test that is over sends nothing more. */
    static boolean isOfTheEnd(TimelineEvent event, Interval counted) {
        return event.type() == TimelineEventType.FEED_SILENT && event.endNs() - counted.endNs() > 0;
    }

    /** A stall that goes on counts until the end of the test. */
    static TimelineEvent endedBy(TimelineEvent event, long endNs) {
        if (event.type() != TimelineEventType.STALL
                || event.endNs() - endNs <= 0
                || !(event instanceof ThreadStall stall)) {
            return event;
        }
        ThreadStall.Sight seen = stall.seen();
        return new ThreadStall(
                stall.timeNs(),
                stall.type(),
                stall.process(),
                stall.thread(),
                stall.own(),
                new ThreadStall.Sight(
                        endNs - stall.timeNs(), endNs, seen.unreadBytes(), true, seen.overflow(), seen.subscription()));
    }

    /** Returns what a diagnosis of some of the events cannot see. */
    List<String> blind(List<TimelineEvent> events) {
        return timeline.blind(events);
    }

    /** Ends the instruments. */
    @Override
    public void close() {
        instruments.close();
    }

    /** Hands samples and events to the tests that are under way. On the background thread of the instruments. */
    private final class ToParts implements SampleConsumer {
        @Override
        public void onSample(long timeNs, Series series, long value) {
            parts.forEach(part -> part.onSample(timeNs, series, value));
        }

        @Override
        public void onEvent(TimelineEvent event) {
            parts.forEach(part -> part.onEvent(event));
        }

        @Override
        public void onProgress(long nowNs) {
            parts.forEach(part -> part.onProgress(nowNs));
        }

        /** The tests have ended. */
        @Override
        public void close() {}
    }

    /** The instruments of a watch of this process. */
    private record OfThisProcess(Watch watch) implements Instruments {
        @Override
        public IncidentRecorder newRecorder(WindowDirectories directories) {
            return watch.newRecorder(directories);
        }

        @Override
        public Cut cutAfter(long timeNs) {
            WatchCut cut = watch.cutAfter(timeNs);
            return new Cut() {
                @Override
                public long cutNs() {
                    return cut.cutNs();
                }

                @Override
                public boolean isTold(long nowNs) {
                    return cut.isTold(nowNs);
                }
            };
        }

        @Override
        public List<SocketSummary> sockets() {
            return watch.sockets();
        }

        @Override
        public List<SocketSummary> openSockets() {
            return watch.openSockets();
        }

        @Override
        public long toldNs(long nowNs) {
            return watch.toldNs(nowNs);
        }

        @Override
        public List<TimelineEvent> observedUntil(long nowNs) {
            return watch.observedUntil(nowNs);
        }

        @Override
        public Map<String, Long> behind(long nowNs) {
            return watch.behind(nowNs);
        }

        @Override
        public Optional<String> write(
                String title, IncidentRecorder.Window window, List<SocketSummary> sockets, WatchFindings findings) {
            String version = String.valueOf(SelfWatch.class.getPackage().getImplementationVersion());
            return new WatchDocuments(version, "run " + title, List.of())
                    .write(watch, sockets, title, window, findings);
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
