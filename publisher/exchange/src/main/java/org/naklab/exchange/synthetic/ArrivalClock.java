package org.naklab.exchange.synthetic;

/** The exchange's time of one synthetic flow. */
final class ArrivalClock {
    /** The market opens: 09:30. */
    private static final long OPEN_NS = 34_200_000_000_000L;

    private final Arrival arrival;
    private final SplitMix64 random;
    private long nowNs = OPEN_NS;
    private int leftInBurst;
    private long quietNs;

    ArrivalClock(Arrival arrival, long seed) {
        this.arrival = arrival;
        this.random = new SplitMix64(seed);
    }

    /** Nanoseconds after midnight of the next event. */
    long next() {
        long eventNs = nowNs;
        if (leftInBurst == 0) {
            startBurst();
        }
        leftInBurst--;
        nowNs += leftInBurst == 0 ? quietNs : arrival.burstGapNs();
        return eventNs;
    }

    private void startBurst() {
        int events = 1 + SplitMix64.below(2 * arrival.meanBurstEvents() - 1, random.next());
        leftInBurst = events;
        quietNs = events * arrival.meanGapNs() - (events - 1) * arrival.burstGapNs();
    }
}
