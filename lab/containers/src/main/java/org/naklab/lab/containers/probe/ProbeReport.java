package org.naklab.lab.containers.probe;

/**
 * The datagrams that arrived.
 *
 * @param received datagrams, copies included
 * @param distinct numbers seen
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
        long duplicated,
        long reordered,
        long damaged,
        long minDelayUs,
        long medianDelayUs,
        long maxDelayUs) {}
