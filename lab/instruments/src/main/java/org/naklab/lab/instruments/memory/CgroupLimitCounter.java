package org.naklab.lab.instruments.memory;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.KeyValueFile;

/**
 * Counts how often a control group was at its memory limit. Version 2 counts it. Version 1 counts separately at the limit of
 * memory and at that of memory with swap: a group in which both limits are equal is counted at the second one only, and not
 * every kernel counts. Where the kernel does not count, the highest use shows once that the limit was reached. Reading does
 * not allocate. One thread.
 */
final class CgroupLimitCounter implements AutoCloseable {
    /** Memory is charged by the batch and the folio: at the limit, the highest use stays that much below. */
    private static final long FOLIO_BYTES = 2L << 20;

    private static final int BELOW_LIMIT_PERCENT = 2;

    private final KeyValueFile[] counters;
    private final @Nullable KeyValueFile peak;
    private final long firstCount;
    private boolean wasAtLimit;
    private long arrivals;

    /** @param limitBytes the group's; 0 for none */
    CgroupLimitCounter(CgroupPaths paths, long limitBytes) {
        counters = paths.openLimitCounters().toArray(KeyValueFile[]::new);
        peak = paths.openHighestUse();
        read(limitBytes);
        firstCount = counted();
        arrivals = 0;
    }

    /** Reads all there is; false when the group is gone. */
    boolean read(long limitBytes) {
        for (KeyValueFile counter : counters) {
            if (!counter.read()) {
                return false;
            }
        }
        if (peak != null) {
            if (!peak.read()) {
                return false;
            }
            long belowBytes = Math.max(FOLIO_BYTES, limitBytes * BELOW_LIMIT_PERCENT / 100);
            boolean isAtLimit = limitBytes > 0 && peak.value(0) >= limitBytes - belowBytes;
            if (isAtLimit && !wasAtLimit) {
                arrivals++;
            }
            wasAtLimit = isAtLimit;
        }
        return true;
    }

    /** Times so far; it never falls. */
    long value() {
        return Math.max(counted(), firstCount + arrivals);
    }

    private long counted() {
        long sum = 0;
        for (KeyValueFile counter : counters) {
            sum += counter.sum();
        }
        return sum;
    }

    @Override
    public void close() {
        for (KeyValueFile counter : counters) {
            counter.close();
        }
        if (peak != null) {
            peak.close();
        }
    }
}
