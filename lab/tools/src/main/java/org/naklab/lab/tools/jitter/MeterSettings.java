package org.naklab.lab.tools.jitter;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.concurrent.TimeUnit;

/**
 * Sets what the meter measures.
 */
public record MeterSettings(
        @JsonUnwrapped Times times,
        @JsonUnwrapped Threads threads,
        @JsonUnwrapped Load load) {
    /**
     * Contains the times, ns.
     *
     * @param warmUpNs at the beginning, left out, ns
     * @param durationNs measured after that, ns
     * @param paceNs from one message to the next, ns
     * @param thresholdNs messages as late as this and later are outliers, ns
     */
    public record Times(long warmUpNs, long durationNs, long paceNs, long thresholdNs) {}

    /**
     * Tells where the threads run, and how they wait.
     *
     * @param producerCpu the only CPU of the thread that sends; -1: any
     * @param consumerCpu the only CPU of the thread that receives; -1: any
     * @param yields whether a waiting thread offers its CPU to others each time that it looks, for machines of two CPUs
     */
    public record Threads(int producerCpu, int consumerCpu, boolean yields) {}

    /**
     * Describes what runs beside them.
     *
     * @param garbageMbPerS what another thread of the process allocates, MB a second; 0: nothing
     * @param loopNs length of a counted loop that another thread of the process runs every 23 ms while a third one asks for a safepoint, ns; 0: none
     * @param safepoints pauses that the process makes by itself; {@link Injection#NONE}: none
     */
    public record Load(int garbageMbPerS, long loopNs, Injection safepoints) {}

    static final int ANY_CPU = -1;

    private static final long LEAST_PACE_NS = 1_000;
    private static final long MOST_PACE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Checks the ranges. */
    public MeterSettings {
        if (times.paceNs() < LEAST_PACE_NS
                || times.paceNs() > MOST_PACE_NS
                || times.durationNs() < times.paceNs()
                || times.thresholdNs() < 1
                || times.warmUpNs() < 0) {
            throw new IllegalArgumentException("pace " + times.paceNs() + " ns, duration " + times.durationNs()
                    + " ns, threshold " + times.thresholdNs() + " ns, warm-up " + times.warmUpNs() + " ns");
        }
    }

    /** Returns the number of messages before the measurement begins. */
    long warmUpMessages() {
        return times.warmUpNs() / times.paceNs();
    }

    /** Returns the number of messages in all. */
    long messages() {
        return warmUpMessages() + times.durationNs() / times.paceNs();
    }
}
