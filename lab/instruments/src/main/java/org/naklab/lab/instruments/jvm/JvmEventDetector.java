package org.naklab.lab.instruments.jvm;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.MonotonicConverter;

/**
 * Makes events of what JFR says about pauses: {@code SAFEPOINT} with the time to reach it, the time at it, the VM operation and the thread that requested it, {@code GC_PAUSE}. Those shorter
 * than the threshold are only summed up. JFR's times are of the wall clock; they are put on CLOCK_MONOTONIC by the distance of both
 * when the event arrives. One thread, JFR's.
 */
final class JvmEventDetector {
    private static final int MAX_OPEN = 16;

    private final String process;
    private final Duration threshold;
    private final TimelineListener listener;
    private final MonotonicConverter times;
    private final Map<Long, RecordedEvent> begun = new LinkedHashMap<>();
    private final Map<Long, Duration> synchronisation = new HashMap<>();
    private final Map<Long, Operation> operations = new HashMap<>();
    private final AtomicLong safepoints = new AtomicLong();
    private volatile long longestSafepointNs;
    private volatile long longestToSafepointNs;
    private volatile long longestGcPauseNs;

    /**
     * What the JVM stopped its threads for.
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

    void onSafepointBegin(RecordedEvent event) {
        begun.put(event.getLong("safepointId"), event);
        if (begun.size() > MAX_OPEN) {
            long oldest = begun.keySet().iterator().next();
            begun.remove(oldest);
            synchronisation.remove(oldest);
            operations.remove(oldest);
        }
    }

    void onSynchronised(RecordedEvent event) {
        synchronisation.put(event.getLong("safepointId"), event.getDuration());
    }

    /** The first operation of a safepoint is the one that it was requested for. */
    void onOperation(RecordedEvent event) {
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

    void onSafepointEnd(RecordedEvent event) {
        RecordedEvent begin = begun.remove(event.getLong("safepointId"));
        Duration toSafepoint = synchronisation.remove(event.getLong("safepointId"));
        Operation operation = operations.remove(event.getLong("safepointId"));
        if (begin != null) {
            onSafepoint(
                    begin.getStartTime(),
                    event.getEndTime(),
                    toSafepoint == null ? begin.getDuration() : toSafepoint,
                    operation == null ? Operation.UNKNOWN : operation);
        }
    }

    void onSafepoint(Instant begin, Instant end, Duration toSafepoint, Operation operation) {
        Duration length = Duration.between(begin, end);
        safepoints.incrementAndGet();
        longestSafepointNs = Math.max(longestSafepointNs, length.toNanos());
        longestToSafepointNs = Math.max(longestToSafepointNs, toSafepoint.toNanos());
        if (length.compareTo(threshold) >= 0) {
            Map<String, Object> details =
                    new HashMap<>(Map.of("durationNs", length.toNanos(), "toSafepointNs", toSafepoint.toNanos()));
            putIfKnown(details, "operation", operation.name());
            putIfKnown(details, "caller", operation.caller());
            report(begin, TimelineEventType.SAFEPOINT, details);
        }
    }

    private static void putIfKnown(Map<String, Object> details, String key, String value) {
        if (!value.isEmpty()) {
            details.put(key, value);
        }
    }

    void onGarbageCollection(RecordedEvent event) {
        onGarbageCollection(
                event.getStartTime(),
                event.getDuration("sumOfPauses"),
                String.valueOf(event.getString("name")),
                String.valueOf(event.getString("cause")));
    }

    void onGarbageCollection(Instant begin, Duration pauses, String name, String cause) {
        longestGcPauseNs = Math.max(longestGcPauseNs, pauses.toNanos());
        if (pauses.compareTo(threshold) >= 0) {
            report(
                    begin,
                    TimelineEventType.GC_PAUSE,
                    Map.of("durationNs", pauses.toNanos(), "collector", name, "cause", cause));
        }
    }

    JvmSummary summary() {
        return new JvmSummary(safepoints.get(), longestSafepointNs, longestToSafepointNs, longestGcPauseNs);
    }

    private void report(Instant begin, TimelineEventType type, Map<String, Object> details) {
        listener.onEvent(TimelineEvent.of(times.toNs(begin), type, process, details));
    }
}
