package org.naklab.lab.tools.jitter;

import java.util.concurrent.TimeUnit;

/**
 * Sets what the meter measures.
 *
 * @param warmUpNs at the beginning, left out, ns
 * @param durationNs measured after that, ns
 * @param paceNs from one message to the next, ns
 * @param thresholdNs messages as late as this and later are outliers, ns
 * @param producerCpu the only CPU of the thread that sends; -1: any
 * @param consumerCpu the only CPU of the thread that receives; -1: any
 * @param yields whether a waiting thread offers its CPU to others each time that it looks, for machines of two CPUs
 * @param garbageMbPerS what another thread of the process allocates, MB a second; 0: nothing
 * @param loopNs length of a counted loop that another thread of the process runs every 23 ms while a third one asks for a safepoint, ns; 0: none
 * @param safepoints pauses that the process makes by itself; {@link Injection#NONE}: none
 */
public record MeterSettings(
        long warmUpNs,
        long durationNs,
        long paceNs,
        long thresholdNs,
        int producerCpu,
        int consumerCpu,
        boolean yields,
        int garbageMbPerS,
        long loopNs,
        Injection safepoints) {
    static final int ANY_CPU = -1;

    private static final long LEAST_PACE_NS = 1_000;
    private static final long MOST_PACE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Checks the ranges. */
    public MeterSettings {
        if (paceNs < LEAST_PACE_NS || paceNs > MOST_PACE_NS || durationNs < paceNs || thresholdNs < 1 || warmUpNs < 0) {
            throw new IllegalArgumentException("pace " + paceNs + " ns, duration " + durationNs + " ns, threshold "
                    + thresholdNs + " ns, warm-up " + warmUpNs + " ns");
        }
    }

    /** Returns the number of messages before the measurement begins. */
    long warmUpMessages() {
        return warmUpNs / paceNs;
    }

    /** Returns the number of messages in all. */
    long messages() {
        return warmUpMessages() + durationNs / paceNs;
    }
}
