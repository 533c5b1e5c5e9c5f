package org.naklab.lab.studies.simulation;

import java.util.SplittableRandom;

/** The time that a receiver waits before it asks for what it misses. */
public sealed interface NakBackOff {
    /** Returns the wait before the first NAK of a gap, ns. */
    long firstNs(SplittableRandom random);

    /** Returns the wait before the NAK is repeated, ns. */
    long repeatedNs(SplittableRandom random);

    /** Returns the same with all waits multiplied. */
    NakBackOff times(double factor);

    /**
     * Aeron's multicast back-off ({@code OptimalMulticastDelayGenerator}): from 0 to the maximum, and the more receivers it expects, the more of
     * them wait almost the whole maximum, so that one of the few early NAKs answers for all.
     *
     * @param maxNs {@code aeron.nak.multicast.max.backoff}, ns
     * @param groupSize {@code aeron.nak.multicast.group.size}
     */
    record Optimal(double maxNs, double groupSize) implements NakBackOff {
        @Override
        public long firstNs(SplittableRandom random) {
            double lambda = Math.log(groupSize) + 1;
            double span = Math.exp(lambda) - 1;
            double x = lambda / maxNs * (random.nextDouble() + 1 / span);
            return (long) (maxNs / lambda * Math.log(x * span * maxNs / lambda));
        }

        @Override
        public long repeatedNs(SplittableRandom random) {
            return firstNs(random);
        }

        @Override
        public NakBackOff times(double factor) {
            return new Optimal(maxNs * factor, groupSize);
        }
    }

    /**
     * LBT-RM's back-off: uniform from half to one and a half of the interval, as the transport's {@code UniformNakBackOff}.
     *
     * @param initialNs of the first NAK, ns
     * @param repeatIntervalNs of its repetitions, ns
     */
    record Uniform(long initialNs, long repeatIntervalNs) implements NakBackOff {
        @Override
        public long firstNs(SplittableRandom random) {
            return initialNs / 2 + random.nextLong(initialNs + 1);
        }

        @Override
        public long repeatedNs(SplittableRandom random) {
            return repeatIntervalNs / 2 + random.nextLong(repeatIntervalNs + 1);
        }

        @Override
        public NakBackOff times(double factor) {
            return new Uniform(Math.round(initialNs * factor), Math.round(repeatIntervalNs * factor));
        }
    }
}
