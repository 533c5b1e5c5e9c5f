package org.naklab.lab.core.safepoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.naklab.lab.core.Units;

/** Sums safepoints up by operation. One thread. */
public final class SafepointTable {
    /** Parts of the second in {@link Row#phase()}. */
    public static final int PHASES = 20;

    private final Map<String, Sums> byOperation = new TreeMap<>();

    /**
     * The safepoints of one operation.
     *
     * @param totalNs sum of the lengths, the way to the safepoint included, ns
     * @param longestNs the longest, ns
     * @param toSafepointNs sum of the times until all threads had stopped, ns
     * @param longestToSafepointNs the longest of these, ns
     * @param phase how many began in each twentieth of a second of the wall clock
     */
    public record Row(
            String operation,
            long count,
            long totalNs,
            long longestNs,
            long toSafepointNs,
            long longestToSafepointNs,
            List<Long> phase) {
        /** Copies the list. */
        public Row {
            phase = List.copyOf(phase);
        }

        /** Returns the operation for people. */
        public String label() {
            return operation.isEmpty() ? "unknown" : operation;
        }
    }

    private static final class Sums {
        private long count;
        private long totalNs;
        private long longestNs;
        private long toSafepointNs;
        private long longestToSafepointNs;
        private final long[] phase = new long[PHASES];
    }

    /**
     * Adds a safepoint.
     *
     * @param operation empty if unknown
     * @param lengthNs the way to the safepoint included, ns
     * @param toSafepointNs until all threads had stopped, ns
     * @param epochNs when it began, ns of the wall clock
     */
    public void add(String operation, long lengthNs, long toSafepointNs, long epochNs) {
        Sums sums = byOperation.computeIfAbsent(operation, each -> new Sums());
        sums.count++;
        sums.totalNs += lengthNs;
        sums.longestNs = Math.max(sums.longestNs, lengthNs);
        sums.toSafepointNs += toSafepointNs;
        sums.longestToSafepointNs = Math.max(sums.longestToSafepointNs, toSafepointNs);
        sums.phase[(int) (Math.floorMod(epochNs, Units.SECOND_NS) * PHASES / Units.SECOND_NS)]++;
    }

    /** Returns a row for each operation, the one that took longest in all first. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        byOperation.forEach((operation, sums) -> rows.add(new Row(
                operation,
                sums.count,
                sums.totalNs,
                sums.longestNs,
                sums.toSafepointNs,
                sums.longestToSafepointNs,
                Arrays.stream(sums.phase).boxed().toList())));
        rows.sort(Comparator.comparingLong(Row::totalNs).reversed().thenComparing(Row::operation));
        return rows;
    }
}
