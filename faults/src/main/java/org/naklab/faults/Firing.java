package org.naklab.faults;

/**
 * A fault struck.
 *
 * @param beginNs CLOCK_MONOTONIC
 * @param endNs CLOCK_MONOTONIC; the beginning, for what has no length
 * @param what on what it struck
 */
public record Firing(long beginNs, long endNs, String what) {
    public long durationNs() {
        return endNs - beginNs;
    }
}
