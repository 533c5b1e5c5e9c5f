package org.naklab.lab.containers.probe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The datagrams that arrived.
 */
public record ProbeReport(
        @JsonUnwrapped Count count,
        @JsonUnwrapped Order order,
        @JsonUnwrapped Delays delays) {
    /**
     * Counts what came.
     *
     * @param received datagrams, copies included
     * @param distinct numbers seen
     */
    public record Count(long received, long distinct) {}

    /**
     * Tells what did not come once, in order and whole.
     *
     * @param gaps numbers, from 0, below the highest seen that were not seen; the first 1,000
     * @param duplicated numbers seen again
     * @param reordered numbers below one seen before, first time
     * @param damaged datagrams whose content is not what was sent
     */
    public record Order(List<Integer> gaps, long duplicated, long reordered, long damaged) {
        public Order {
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * Contains the delays, µs.
     *
     * @param minDelayUs of the shortest delay
     * @param medianDelayUs between the two processes' readings of one clock; like the other delays exact to three digits, 0 if nothing came
     * @param maxDelayUs of the longest delay
     */
    public record Delays(long minDelayUs, long medianDelayUs, long maxDelayUs) {}

    /** Most numbers in {@link Order#gaps()}. */
    static final int MOST_GAPS = 1_000;
}
