package org.naklab.lab.studies.simulation;

import java.util.BitSet;
import java.util.SplittableRandom;

/** Draws which receivers of a group lose a datagram. The losses of one datagram are the same, whatever has happened before. */
public final class LossDraw {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    /** Beyond every group and every answer. */
    private static final int MAX_SKIP = 1 << 28;

    private final long seed;
    private final double logPassing;
    private final boolean isLossy;

    /**
     * Creates a draw.
     *
     * @param probability of each datagram at each receiver, below 1
     */
    public LossDraw(long seed, double probability) {
        this.seed = seed;
        isLossy = probability > 0;
        logPassing = Math.log1p(-probability);
    }

    /**
     * Adds those that lose a datagram that is new.
     *
     * @param receivers in the group, numbered from 0
     */
    public void addLosers(int datagram, int receivers, BitSet losers) {
        if (isLossy) {
            SplittableRandom random = new SplittableRandom(seed ^ (datagram * GOLDEN));
            for (int i = skip(random); i < receivers; i += 1 + skip(random)) {
                losers.set(i);
            }
        }
    }

    /** Returns random numbers for datagrams that are sent again. */
    SplittableRandom repeated() {
        return new SplittableRandom(seed * GOLDEN);
    }

    boolean isLossy() {
        return isLossy;
    }

    /** Draws how many come through before the next is lost. */
    int skip(SplittableRandom random) {
        return (int) Math.min(Math.log(1 - random.nextDouble()) / logPassing, MAX_SKIP);
    }
}
