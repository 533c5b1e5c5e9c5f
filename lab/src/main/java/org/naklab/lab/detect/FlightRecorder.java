package org.naklab.lab.detect;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Keeps a long hunt small: samples go round in memory, and when an event trips it, the window around that event, 5 s before to 1 s
 * after, is written: {@code window-samples.csv.gz} and {@code window-timeline.jsonl}. After the first window it records nothing more.
 */
public final class FlightRecorder implements SampleConsumer {
    public static final long BEFORE_NS = 5_000_000_000L;
    public static final long AFTER_NS = 1_000_000_000L;

    /** What a detector calls out for. */
    public static final Set<TimelineEventType> DEFAULT_TRIPS = Set.of(
            TimelineEventType.STALL_BEGAN,
            TimelineEventType.STALL,
            TimelineEventType.SOCKET_DEPTH_RISE,
            TimelineEventType.DATAGRAMS_DROPPED,
            TimelineEventType.NAK_SENT);

    private static final int HISTORY_SAMPLES = 1 << 18;
    private static final int MAX_EVENTS = 100_000;

    private final Path directory;
    private final Set<TimelineEventType> trips;
    private final List<WindowHook> hooks;
    private final SampleHistory history = new SampleHistory(HISTORY_SAMPLES);
    private final Deque<TimelineEvent> events = new ArrayDeque<>();
    private volatile long armedNs = Long.MIN_VALUE;
    private long trippedNs;
    private volatile State state = State.WATCHING;

    /** What the recorder is doing. */
    public enum State {
        WATCHING,
        TRIPPED,
        WRITTEN
    }

    public FlightRecorder(Path directory, Set<TimelineEventType> trips, List<WindowHook> hooks) {
        this.directory = directory;
        this.trips = Set.copyOf(trips);
        this.hooks = List.copyOf(hooks);
    }

    /** What happened before that time, ns of CLOCK_MONOTONIC, does not trip it. Any thread. */
    public void armFrom(long timeNs) {
        armedNs = timeNs;
    }

    @Override
    public void onSample(long timeNs, Series series, long value) {
        if (state != State.WRITTEN) {
            history.add(timeNs, series, value);
        }
    }

    @Override
    public void onEvent(TimelineEvent event) {
        if (state == State.WRITTEN) {
            return;
        }
        events.addLast(event);
        if (events.size() > MAX_EVENTS) {
            events.removeFirst();
        }
        if (state == State.WATCHING && trips.contains(event.type()) && event.timeNs() >= armedNs) {
            trippedNs = event.timeNs();
            state = State.TRIPPED;
        }
    }

    @Override
    public void onProgress(long nowNs) {
        if (state == State.TRIPPED && nowNs - trippedNs > AFTER_NS) {
            write();
        } else if (state == State.WATCHING) {
            while (!events.isEmpty() && nowNs - events.getFirst().timeNs() > 2 * BEFORE_NS) {
                events.removeFirst();
            }
        }
    }

    /** Any thread. */
    public State state() {
        return state;
    }

    /** A window that was tripped and not yet full is written as it is. */
    @Override
    public void close() {
        if (state == State.TRIPPED) {
            write();
        }
    }

    private void write() {
        long fromNs = trippedNs - BEFORE_NS;
        long toNs = trippedNs + AFTER_NS;
        try (SampleWriter writer =
                SampleWriter.create(directory.resolve("window-samples.csv.gz"), SampleWriter.DEFAULT_MAX_ROWS)) {
            history.write(fromNs, toNs, writer);
        }
        try (TimelineWriter writer = TimelineWriter.create(directory.resolve("window-timeline.jsonl"))) {
            for (TimelineEvent event : events) {
                if (event.timeNs() >= fromNs && event.timeNs() <= toNs) {
                    writer.onEvent(event);
                }
            }
        }
        for (WindowHook hook : hooks) {
            hook.onWindow(directory, fromNs, toNs);
        }
        state = State.WRITTEN;
        history.clear();
        events.clear();
    }
}
