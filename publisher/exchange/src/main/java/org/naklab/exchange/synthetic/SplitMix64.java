package org.naklab.exchange.synthetic;

/**
 * The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), written out so that
 * a seed means the same flow on every JDK.
 */
final class SplitMix64 {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    SplitMix64(long seed) {
        state = seed;
    }

    long next() {
        state += GOLDEN_GAMMA;
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** 0 (inclusive) to {@code bound} (exclusive), from the low 32 bits of {@code bits}. */
    static int below(int bound, long bits) {
        return (int) (((bits & 0xffff_ffffL) * bound) >>> 32);
    }
}
