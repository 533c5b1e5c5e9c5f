package org.naklab.lab.instruments.linux;

import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Puts wall-clock times on CLOCK_MONOTONIC, by the distance of the two clocks now. */
public final class MonotonicConverter {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final LongSupplier monotonicNs;
    private final Supplier<Instant> wall;

    public MonotonicConverter(LongSupplier monotonicNs, Supplier<Instant> wall) {
        this.monotonicNs = monotonicNs;
        this.wall = wall;
    }

    /** Creates a converter for the clocks of this machine. */
    public static MonotonicConverter ofSystem() {
        return new MonotonicConverter(System::nanoTime, Instant::now);
    }

    public long toNs(Instant time) {
        long distanceNs = epochNs(wall.get()) - monotonicNs.getAsLong();
        return epochNs(time) - distanceNs;
    }

    public Instant toInstant(long timeNs) {
        return wall.get().plusNanos(timeNs - monotonicNs.getAsLong());
    }

    private static long epochNs(Instant time) {
        return time.getEpochSecond() * NS_PER_SECOND + time.getNano();
    }
}
