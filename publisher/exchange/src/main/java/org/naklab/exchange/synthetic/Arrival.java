package org.naklab.exchange.synthetic;

/**
 * Tells how synthetic events are spaced in the exchange's time. A burst is followed by as much quiet as makes up for it, so the
 * mean gap holds whatever the bursts.
 *
 * @param meanGapNs mean time from event to event, ns
 * @param meanBurstEvents events of a burst on average, 1 for a constant gap
 * @param burstGapNs time from event to event within a burst, ns, at most the mean gap
 */
public record Arrival(long meanGapNs, int meanBurstEvents, long burstGapNs) {
    private static final int MAX_BURST_EVENTS = 1 << 20;

    public Arrival {
        if (meanGapNs < 0 || burstGapNs < 0 || burstGapNs > meanGapNs) {
            throw new IllegalArgumentException(
                    "gaps must be 0 ≤ burst gap ≤ mean gap: " + burstGapNs + " ns, " + meanGapNs + " ns");
        }
        if (meanBurstEvents < 1 || meanBurstEvents > MAX_BURST_EVENTS) {
            throw new IllegalArgumentException(
                    "mean burst must be 1 to " + MAX_BURST_EVENTS + " events: " + meanBurstEvents);
        }
    }

    /** Every event {@code gapNs} after the one before. */
    public static Arrival constant(long gapNs) {
        return new Arrival(gapNs, 1, gapNs);
    }

    /** Bursts of 1 to twice the mean less one events, {@code burstGapNs} apart, with quiet between them. */
    public static Arrival bursty(long meanGapNs, int meanBurstEvents, long burstGapNs) {
        return new Arrival(meanGapNs, meanBurstEvents, burstGapNs);
    }
}
