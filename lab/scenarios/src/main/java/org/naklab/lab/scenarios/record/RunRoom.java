package org.naklab.lab.scenarios.record;

import org.naklab.lab.core.Units;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;

/**
 * Estimates how much a run writes. Kept runs took, on 2026-11-28 with JDK 17: 97 to 118 bytes of the journal and 120 to 127 bytes of the files derived from it for each event; samples, timelines,
 * books, latencies, reports and the recorded window up to 12 MiB in 12 s and 17 MiB in 105 s.
 */
public final class RunRoom {
    /** What each run writes, however short it is, with the reserve for its documents. */
    static final long LEAST_BYTES = 16L << 20;

    private static final long BYTES_PER_EVENT = 250;
    private static final long OBSERVED_BYTES_PER_SECOND = 256L << 10;

    private RunRoom() {}

    /** Returns the bytes that a run may write. */
    public static long bytes(RunPlan plan) {
        return bytes(plan.traffic().workload(), plan.placement().instruments());
    }

    /** Returns the bytes that a run may write; the events of a source, and those of a flow as fast as possible, are not known before. */
    public static long bytes(Workload workload, InstrumentLevel instruments) {
        boolean isObserved = instruments != InstrumentLevel.NONE && workload.durationNs() != Long.MAX_VALUE;
        double seconds = isObserved ? workload.durationNs() / Units.NS_PER_S : 0;
        double bytes =
                LEAST_BYTES + (double) workload.mostEvents() * BYTES_PER_EVENT + seconds * OBSERVED_BYTES_PER_SECOND;
        // What is beyond all disks becomes the largest number.
        return (long) bytes;
    }
}
