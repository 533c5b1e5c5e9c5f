package org.naklab.faults;

import org.agrona.concurrent.SystemEpochNanoClock;

/** Both clocks that a plan needs. */
public interface FaultClock {
    /** Nanoseconds of CLOCK_MONOTONIC. */
    long monotonicNs();

    /** Nanoseconds since 1970, UTC. */
    long epochNs();

    /** The machine's own. */
    static FaultClock system() {
        return new FaultClock() {
            @Override
            public long monotonicNs() {
                return System.nanoTime();
            }

            @Override
            public long epochNs() {
                return SystemEpochNanoClock.INSTANCE.nanoTime();
            }
        };
    }
}
