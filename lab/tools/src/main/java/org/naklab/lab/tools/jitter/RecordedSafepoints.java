package org.naklab.lab.tools.jitter;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.naklab.lab.core.LabException;

/** The safepoints of a process by JFR. */
final class RecordedSafepoints {
    private static final String BEGIN = "jdk.SafepointBegin";
    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String END = "jdk.SafepointEnd";

    /** Those that a JVM makes of its own accord from time to time: without an operation, or with one that does nothing else. */
    private static final Set<String> PERIODIC = Set.of("", "None", "Cleanup", "SafepointALot", "Halt");

    private final Map<Long, Instant> begun = new TreeMap<>();
    private final Map<Long, Instant> ended = new HashMap<>();
    private final Map<Long, String> operations = new HashMap<>();

    private RecordedSafepoints() {}

    static RecordedSafepoints read(Path file) {
        RecordedSafepoints safepoints = new RecordedSafepoints();
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                safepoints.add(recording.readEvent());
            }
            return safepoints;
        } catch (IOException e) {
            throw new LabException("cannot read the JFR recording of the meter: " + e.getMessage(), e);
        }
    }

    private void add(RecordedEvent event) {
        String type = event.getEventType().getName();
        if (type.equals(BEGIN)) {
            begun.put(event.getLong("safepointId"), event.getStartTime());
        } else if (type.equals(END)) {
            ended.put(event.getLong("safepointId"), event.getEndTime());
        } else if (type.equals(OPERATION) && event.getBoolean("safepoint")) {
            operations.putIfAbsent(event.getLong("safepointId"), String.valueOf(event.getString("operation")));
        }
    }

    /** Returns how many began from one time until before another, by operation. */
    List<JitterReport.OperationCount> counts(Instant from, Instant to) {
        Map<String, Long> counts = new TreeMap<>();
        begun.forEach((id, time) -> {
            if (!time.isBefore(from) && time.isBefore(to)) {
                counts.merge(operations.getOrDefault(id, ""), 1L, Long::sum);
            }
        });
        List<JitterReport.OperationCount> list = new ArrayList<>();
        counts.forEach((operation, count) -> list.add(new JitterReport.OperationCount(operation, count)));
        return list;
    }

    /**
     * Returns the lengths of the safepoints for an operation that overlap a time, ns.
     *
     * @param operation as the JVM names it
     */
    List<Long> lengthsNs(String operation, Instant from, Instant to) {
        List<Long> lengths = new ArrayList<>();
        begun.forEach((id, begin) -> {
            Instant end = ended.get(id);
            if (end != null && operation.equals(operations.get(id)) && !begin.isAfter(to) && !end.isBefore(from)) {
                lengths.add(Duration.between(begin, end).toNanos());
            }
        });
        return lengths;
    }

    /** Returns how many of these the JVM made of its own accord. */
    static long periodic(List<JitterReport.OperationCount> counts) {
        return counts.stream()
                .filter(each -> PERIODIC.contains(each.operation()))
                .mapToLong(JitterReport.OperationCount::count)
                .sum();
    }
}
