package org.naklab.lab.instruments.jvm;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.safepoint.SafepointTable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.JvmEvent.GcPause;
import org.naklab.lab.core.timeline.JvmEvent.Safepoint;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;

/**
 * Makes events of what JFR says about pauses: {@code SAFEPOINT} with the time to reach it, the time at it, the VM operation and the thread that requested it, {@code GC_PAUSE}. Those shorter
 * than the threshold are only summed up. JFR's times are of the wall clock; they are put on CLOCK_MONOTONIC by the distance of both
 * when the event arrives. An event that arrives twice counts once. Any thread; events arrive in the order of the safepoints.
 */
final class JvmEventDetector {
    private static final int MAX_OPEN = 16;

    private final String process;
    private final Duration threshold;
    private final TimelineListener listener;
    private final MonotonicConverter times;
    private final Map<Long, RecordedEvent> begun = new LinkedHashMap<>();
    private final Map<Long, Instant> synchronised = new HashMap<>();
    private final Map<Long, Operation> operations = new HashMap<>();
    private final SafepointTable table = new SafepointTable();
    private long lastEnded = Long.MIN_VALUE;
    private long longestGcPauseNs;

    /**
     * Tells what the JVM stopped its threads for.
     *
     * @param name of the VM operation, as the JVM writes it; empty if unknown
     * @param caller the thread that requested it; empty if unknown
     */
    record Operation(String name, String caller) {
        static final Operation UNKNOWN = new Operation("", "");
    }

    JvmEventDetector(String process, Duration threshold, TimelineListener listener, MonotonicConverter times) {
        this.process = process;
        this.threshold = threshold;
        this.listener = listener;
        this.times = times;
    }

    /** Returns the handlers of the events that make up a safepoint, by the names of the events. */
    Map<String, Consumer<RecordedEvent>> safepointHandlers() {
        return Map.of(
                JvmInstrument.SAFEPOINT_BEGIN, this::onSafepointBegin,
                JvmInstrument.SAFEPOINT_SYNCHRONIZATION, this::onSynchronised,
                JvmInstrument.VM_OPERATION, this::onOperation,
                JvmInstrument.SAFEPOINT_END, this::onSafepointEnd);
    }

    /** Takes from a file what a stream of the same recording has not delivered yet. */
    void finish(Path file) throws IOException {
        Map<String, Consumer<RecordedEvent>> handlers = safepointHandlers();
        List<RecordedEvent> events = new ArrayList<>();
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                if (handlers.containsKey(event.getEventType().getName())) {
                    events.add(event);
                }
            }
        }
        // JFR writes the events of each thread together; a stream orders them by their ends too.
        events.sort(Comparator.comparing(RecordedEvent::getEndTime));
        events.forEach(event -> Objects.requireNonNull(
                        handlers.get(event.getEventType().getName()))
                .accept(event));
    }

    synchronized void onSafepointBegin(RecordedEvent event) {
        if (event.getLong("safepointId") <= lastEnded) {
            return;
        }
        begun.put(event.getLong("safepointId"), event);
        if (begun.size() > MAX_OPEN) {
            long oldest = begun.keySet().iterator().next();
            begun.remove(oldest);
            synchronised.remove(oldest);
            operations.remove(oldest);
        }
    }

    synchronized void onSynchronised(RecordedEvent event) {
        if (event.getLong("safepointId") > lastEnded) {
            synchronised.put(event.getLong("safepointId"), event.getEndTime());
        }
    }

    /** The first operation of a safepoint is the one that it was requested for. */
    synchronized void onOperation(RecordedEvent event) {
        if (begun.containsKey(event.getLong("safepointId"))) {
            operations.putIfAbsent(
                    event.getLong("safepointId"),
                    new Operation(
                            Objects.requireNonNullElse(event.getString("operation"), ""),
                            nameOf(event.getThread("caller"))));
        }
    }

    /** Threads of the JVM itself have no name in Java. */
    private static String nameOf(@Nullable RecordedThread thread) {
        if (thread == null) {
            return "";
        }
        String javaName = thread.getJavaName();
        return javaName == null ? Objects.requireNonNullElse(thread.getOSName(), "") : javaName;
    }

    synchronized void onSafepointEnd(RecordedEvent event) {
        RecordedEvent begin = begun.remove(event.getLong("safepointId"));
        Instant reached = synchronised.remove(event.getLong("safepointId"));
        Operation operation = operations.remove(event.getLong("safepointId"));
        if (begin != null) {
            lastEnded = event.getLong("safepointId");
            onSafepoint(
                    begin.getStartTime(),
                    event.getEndTime(),
                    reached == null ? begin.getDuration() : Duration.between(begin.getStartTime(), reached),
                    operation == null ? Operation.UNKNOWN : operation);
        }
    }

    synchronized void onSafepoint(Instant begin, Instant end, Duration toSafepoint, Operation operation) {
        Duration length = Duration.between(begin, end);
        table.add(operation.name(), length.toNanos(), toSafepoint.toNanos(), epochNs(begin));
        if (length.compareTo(threshold) >= 0) {
            listener.onEvent(new Safepoint(
                    process, "", span(begin, length), toSafepoint.toNanos(), operation.name(), operation.caller()));
        }
    }

    private static long epochNs(Instant time) {
        return time.getEpochSecond() * Units.SECOND_NS + time.getNano();
    }

    void onGarbageCollection(RecordedEvent event) {
        onGarbageCollection(
                event.getLong("gcId"),
                event.getStartTime(),
                event.getDuration("sumOfPauses"),
                String.valueOf(event.getString("name")),
                String.valueOf(event.getString("cause")));
    }

    /** The CPU time of a short collection tells nothing. */
    void onCpuTime(RecordedEvent event) {
        if (event.getDuration("realTime").compareTo(threshold) >= 0) {
            Duration cpu = event.getDuration("userTime").plus(event.getDuration("systemTime"));
            listener.onEvent(new GcPause.CpuTime(
                    times.toNs(event.getStartTime()), process, "", event.getLong("gcId"), cpu.toNanos()));
        }
    }

    synchronized void onGarbageCollection(long gcId, Instant begin, Duration pauses, String name, String cause) {
        longestGcPauseNs = Math.max(longestGcPauseNs, pauses.toNanos());
        if (pauses.compareTo(threshold) >= 0) {
            listener.onEvent(new GcPause(process, "", span(begin, pauses), name, cause, gcId));
        }
    }

    /** Returns the safepoints that have ended so far, by operation. */
    synchronized List<SafepointTable.Row> safepoints() {
        return table.rows();
    }

    synchronized JvmSummary summary() {
        List<SafepointTable.Row> rows = table.rows();
        return new JvmSummary(
                rows.stream().mapToLong(SafepointTable.Row::count).sum(),
                rows.stream().mapToLong(SafepointTable.Row::longestNs).max().orElse(0),
                rows.stream()
                        .mapToLong(SafepointTable.Row::longestToSafepointNs)
                        .max()
                        .orElse(0),
                longestGcPauseNs);
    }

    private Interval span(Instant begin, Duration length) {
        long beginNs = times.toNs(begin);
        return new Interval(beginNs, beginNs + length.toNanos());
    }
}
