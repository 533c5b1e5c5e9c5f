package org.naklab.lab.instruments.watch;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.core.timeline.TimelineWriter;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleHistory;
import org.naklab.lab.instruments.series.SampleWriter;
import org.naklab.lab.instruments.series.Series;
import org.naklab.lab.instruments.series.WindowListener;

/**
 * Keeps a long hunt small: samples go round in memory, and when an event trips it, the window around that event, 5 s before to 1 s
 * after, is written: {@code window-samples.csv.gz}, {@code window-timeline.jsonl}, and what the hooks have of it. After the last window
 * it records nothing more.
 */
public final class IncidentRecorder implements SampleConsumer, TimelineListener {
    public static final long BEFORE_NS = 5_000_000_000L;
    public static final long AFTER_NS = 1_000_000_000L;

    /** A window that waits for its sockets to drain is at most that long after the trip, ns. */
    public static final long MAX_AFTER_NS = 10_000_000_000L;

    /** Least delay after the window until it is written, ns: JFR delivers events about once a second. */
    public static final long LATE_NS = 2_000_000_000L;

    /** The event types that trigger the recorder. */
    public static final Set<TimelineEventType> DEFAULT_TRIPS = Set.of(
            TimelineEventType.STALL_BEGAN,
            TimelineEventType.STALL,
            TimelineEventType.SOCKET_DEPTH_RISE,
            TimelineEventType.DATAGRAMS_DROPPED,
            TimelineEventType.DATAGRAMS_TAKEN,
            TimelineEventType.NAK_SENT);

    /** The events of the window, one a line. */
    public static final String TIMELINE = "window-timeline.jsonl";

    /** The samples of the window. */
    public static final String SAMPLES = "window-samples.csv.gz";

    private static final int HISTORY_SAMPLES = 1 << 18;
    private static final int MAX_EVENTS = 100_000;
    private static final long FINISH_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long FINISH_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final WindowDirectories directories;
    private final boolean isUntilDrained;
    private final Set<TimelineEventType> trips;
    private final List<WindowListener> hooks = new CopyOnWriteArrayList<>();
    private final List<String> missing = new CopyOnWriteArrayList<>();
    private final List<String> unwritten = new CopyOnWriteArrayList<>();
    private final SampleHistory history = new SampleHistory(HISTORY_SAMPLES);
    private final ManyToOneConcurrentLinkedQueue<TimelineEvent> arrivals = new ManyToOneConcurrentLinkedQueue<>();
    private final Deque<TimelineEvent> events = new ArrayDeque<>();
    private final List<Window> windows = new CopyOnWriteArrayList<>();
    /** Sockets that have not drained yet, of rises that began before the window's end. */
    private final Set<Long> risen = new HashSet<>();

    private long endNs;
    private volatile long armedNs = Long.MIN_VALUE;
    private volatile long disarmedNs = Long.MAX_VALUE;
    private volatile boolean finishing;
    private volatile LongUnaryOperator told = nowNs -> nowNs;
    private volatile @Nullable TimelineEvent trip;
    private volatile State state = State.WATCHING;

    /** The state of the recorder. */
    public enum State {
        WATCHING,
        TRIPPED,
        WRITTEN
    }

    /**
     * A window that was written.
     *
     * @param trip the event that tripped the recorder
     */
    public record Window(Path directory, TimelineEvent trip, Interval interval) {}

    /**
     * Creates a recorder of one window.
     *
     * @param directory exists
     */
    public IncidentRecorder(Path directory, Set<TimelineEventType> trips) {
        this(WindowDirectories.ofOne(directory), trips, false);
    }

    private IncidentRecorder(WindowDirectories directories, Set<TimelineEventType> trips, boolean isUntilDrained) {
        this.directories = directories;
        this.trips = Set.copyOf(trips);
        this.isUntilDrained = isUntilDrained;
    }

    /** Creates a recorder whose windows end 1 s after all sockets have drained. */
    public static IncidentRecorder untilDrained(WindowDirectories directories) {
        return new IncidentRecorder(directories, DEFAULT_TRIPS, true);
    }

    /** Adds a listener that writes a part of the window of its own. Any thread, before the window is written. */
    public void addHook(WindowListener hook) {
        hooks.add(hook);
    }

    /**
     * Makes windows wait for stalls that are told late.
     *
     * @param told returns until when all stalls that were over have been told, ns, for the present time, ns
     */
    void waitFor(LongUnaryOperator told) {
        this.told = told;
    }

    /** Arms the recorder: events before that time, ns of CLOCK_MONOTONIC, do not trip it. Any thread. */
    public void armFrom(long timeNs) {
        armedNs = timeNs;
    }

    @Override
    public void onSample(long timeNs, Series series, long value) {
        if (state != State.WRITTEN) {
            history.add(timeNs, series, value);
        }
    }

    /** Takes an event. Any thread, in any order: the window sorts them by time. */
    @Override
    public void onEvent(TimelineEvent event) {
        if (state != State.WRITTEN) {
            arrivals.add(event);
        }
    }

    @Override
    public void onProgress(long nowNs) {
        takeArrivals();
        TimelineEvent tripping = trip;
        if (state == State.TRIPPED && tripping != null) {
            if (finishing || isComplete(tripping.timeNs(), nowNs)) {
                write(tripping);
            }
        } else if (state == State.WATCHING && !directories.hasMore()) {
            stop();
        } else {
            while (!events.isEmpty() && nowNs - events.getFirst().timeNs() > 2 * BEFORE_NS) {
                events.removeFirst();
            }
        }
    }

    private boolean isComplete(long trippedNs, long nowNs) {
        boolean isOpen = isUntilDrained && !risen.isEmpty() && nowNs - trippedNs <= MAX_AFTER_NS;
        return !isOpen && nowNs - endNs > LATE_NS && told.applyAsLong(nowNs) - endNs >= 0;
    }

    /** Returns the windows that were written, in their order. Any thread. */
    public List<Window> windows() {
        return List.copyOf(windows);
    }

    /** Returns the state. Any thread. */
    public State state() {
        return state;
    }

    /** Returns the event that tripped it. Any thread. */
    public Optional<TimelineEvent> trip() {
        return Optional.ofNullable(trip);
    }

    /** Parts of the window that are not there, each one line; complete when it is written. Any thread. */
    public List<String> missing() {
        return Stream.concat(unwritten.stream(), missing.stream()).toList();
    }

    /** Returns the missing parts of the listeners, which may have had nothing to write. */
    public List<String> missingOfHooks() {
        return List.copyOf(missing);
    }

    /** Returns the parts of the recorder, samples and timeline, that it had and could not write. */
    public List<String> unwritten() {
        return List.copyOf(unwritten);
    }

    /**
     * Writes a tripped window that is not yet full as it is, and those of what tripped after it, and waits for that while the instruments still have their
     * parts of them. Any thread except the conductor's.
     *
     * @param endedNs what happened after that time, ns of CLOCK_MONOTONIC, does not trip it
     */
    public void finish(long endedNs) {
        disarmedNs = endedNs;
        finishing = true;
        long endNs = System.nanoTime() + FINISH_TIMEOUT_NS;
        while (state == State.TRIPPED && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(FINISH_POLL_NS);
        }
        finishing = false;
    }

    /** Writes a tripped window that is not yet full as it is, and those of what tripped after it. */
    @Override
    public void close() {
        takeArrivals();
        for (TimelineEvent tripping = trip; state == State.TRIPPED && tripping != null; tripping = trip) {
            write(tripping);
        }
    }

    private void takeArrivals() {
        for (TimelineEvent event = arrivals.poll(); event != null; event = arrivals.poll()) {
            if (state == State.WRITTEN) {
                continue;
            }
            events.addLast(event);
            if (events.size() > MAX_EVENTS) {
                events.removeFirst();
            }
            if (state == State.WATCHING && isTrip(event)) {
                trip(event);
            } else {
                note(event);
            }
        }
    }

    private boolean isTrip(TimelineEvent event) {
        return trips.contains(event.type()) && event.timeNs() >= armedNs && event.timeNs() <= disarmedNs;
    }

    /** Opens a window; what was seen of the sockets decides how long it is, also what came after the event. */
    private void trip(TimelineEvent event) {
        trip = event;
        endNs = event.timeNs() + AFTER_NS;
        state = State.TRIPPED;
        risen.clear();
        events.forEach(this::note);
    }

    private void note(TimelineEvent event) {
        if (event instanceof SocketEvent.DepthRise rise && (state != State.TRIPPED || rise.timeNs() <= endNs)) {
            risen.add(rise.inode());
        } else if (event instanceof SocketEvent.Drained drained) {
            boolean isKnown = risen.remove(drained.inode());
            TimelineEvent tripping = trip;
            if (isUntilDrained && isKnown && state == State.TRIPPED && tripping != null) {
                long latestNs = tripping.timeNs() + MAX_AFTER_NS;
                endNs = Math.max(endNs, Math.min(drained.timeNs() + AFTER_NS, latestNs));
            }
        }
    }

    /** Writes the window once, even if the disk is full: a second attempt would fail as well. */
    private void write(TimelineEvent tripping) {
        Interval interval = new Interval(tripping.timeNs() - BEFORE_NS, endNs);
        Path directory = nextDirectory();
        if (directory != null) {
            write(this::writeSamples, directory, interval, unwritten);
            write(this::writeTimeline, directory, interval, unwritten);
            hooks.forEach(hook -> write(hook, directory, interval, missing));
            windows.add(new Window(directory, tripping, interval));
        }
        armedNs = Math.max(armedNs, endNs);
        Optional<TimelineEvent> next = directory == null || !directories.hasMore() ? Optional.empty() : laterTrip();
        if (next.isPresent()) {
            trip(next.get());
        } else if (directory == null || !directories.hasMore() || finishing) {
            stop();
        } else {
            trip = null;
            state = State.WATCHING;
        }
    }

    /** Returns what happened after the window while it waited to be written. */
    private Optional<TimelineEvent> laterTrip() {
        return events.stream().filter(this::isTrip).min(Comparator.comparingLong(TimelineEvent::timeNs));
    }

    private @Nullable Path nextDirectory() {
        try {
            return directories.next().orElse(null);
        } catch (DetectException e) {
            unwritten.add(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void stop() {
        state = State.WRITTEN;
        history.clear();
        events.clear();
    }

    private static void write(WindowListener part, Path directory, Interval interval, List<String> failures) {
        try {
            part.onWindow(directory, interval.beginNs(), interval.endNs());
        } catch (DetectException e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private void writeSamples(Path into, long fromNs, long toNs) {
        try (SampleWriter writer = SampleWriter.create(into.resolve(SAMPLES), SampleWriter.DEFAULT_MAX_ROWS)) {
            history.write(fromNs, toNs, writer);
        }
    }

    private void writeTimeline(Path into, long fromNs, long toNs) {
        try (TimelineWriter writer = TimelineWriter.create(into.resolve(TIMELINE))) {
            events.stream()
                    .filter(event -> event.timeNs() >= fromNs && event.timeNs() <= toNs)
                    .sorted(Comparator.comparingLong(TimelineEvent::timeNs))
                    .forEach(writer::onEvent);
        }
    }
}
