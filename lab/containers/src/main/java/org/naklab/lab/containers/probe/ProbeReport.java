package org.naklab.lab.containers.probe;

import java.util.List;

/**
 * The datagrams that arrived.
 *
 * @param received datagrams, copies included
 * @param distinct numbers seen
 * @param gaps numbers, from 0, below the highest seen that were not seen; the first 1,000
 * @param duplicated numbers seen again
 * @param reordered numbers below one seen before, first time
 * @param damaged datagrams whose content is not what was sent
 * @param minDelayUs of the shortest delay
 * @param medianDelayUs between the two processes' readings of one clock; like the other delays exact to three digits, 0 if nothing came
 * @param maxDelayUs of the longest delay
 */
public record ProbeReport(
        long received,
        long distinct,
        List<Integer> gaps,
        long duplicated,
        long reordered,
        long damaged,
        long minDelayUs,
        long medianDelayUs,
        long maxDelayUs) {
    /** Most numbers in {@link #gaps()}. */
    static final int MOST_GAPS = 1_000;

    public ProbeReport {
        gaps = List.copyOf(gaps);
    }
}
