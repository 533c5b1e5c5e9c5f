package org.naklab.faults.binding;

/**
 * One call of {@code sched_yield}, bind included.
 *
 * @param beginNs CLOCK_MONOTONIC before the call
 * @param endNs CLOCK_MONOTONIC after the call
 * @param majorFaults page faults of the calling thread within the call that had to wait for the disk
 * @param minorFaults page faults within the call that did not
 * @param threadId the kernel's id of the calling thread
 */
public record YieldMeasurement(long beginNs, long endNs, long majorFaults, long minorFaults, int threadId) {
    public long durationNs() {
        return endNs - beginNs;
    }
}
