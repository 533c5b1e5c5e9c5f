package org.naklab.exchange.synthetic;

/** Each instrument's mid price, in ticks of 0.01 currency units, on a random walk between two walls. */
final class SyntheticPrices {
    /** The feed's price unit is 1/10,000. */
    static final int FEED_UNITS_PER_TICK = 100;

    private static final int MIN_TICKS = 200;
    private static final int MAX_TICKS = 100_000;
    private static final int MIN_START_TICKS = 500;
    private static final int MAX_START_TICKS = 60_000;

    private final int[] midTicks;

    SyntheticPrices(int instruments, SplitMix64 random) {
        midTicks = new int[instruments];
        for (int i = 0; i < instruments; i++) {
            midTicks[i] = MIN_START_TICKS + SplitMix64.below(MAX_START_TICKS - MIN_START_TICKS, random.next());
        }
    }

    int mid(int instrument) {
        return midTicks[instrument];
    }

    /** One step of at most a tick: down, up or, three times in four, none. {@code bits} are three random bits. */
    void walk(int instrument, int bits) {
        if (bits == 0 && midTicks[instrument] > MIN_TICKS) {
            midTicks[instrument]--;
        } else if (bits == 1 && midTicks[instrument] < MAX_TICKS) {
            midTicks[instrument]++;
        }
    }
}
