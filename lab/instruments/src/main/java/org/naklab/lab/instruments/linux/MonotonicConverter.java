package org.naklab.lab.instruments.linux;

import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.naklab.lab.core.Units;

/** Puts wall-clock times on CLOCK_MONOTONIC, by the distance of the two clocks now. */
public final class MonotonicConverter {
    /** A thread may lose its CPU between two clocks, but seldom each time. */
    private static final int READINGS = 5;

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
        return epochNs(time) - epochOffsetNs();
    }

    public Instant toInstant(long timeNs) {
        return Instant.EPOCH.plusNanos(timeNs + epochOffsetNs());
    }

    /** Returns what to add to a time of CLOCK_MONOTONIC for nanoseconds since 1970: by the closest of several readings of both clocks. */
    public long epochOffsetNs() {
        long closestNs = Long.MAX_VALUE;
        long offsetNs = 0;
        for (int i = 0; i < READINGS; i++) {
            long beforeNs = monotonicNs.getAsLong();
            long epochNs = epochNs(wall.get());
            long betweenNs = monotonicNs.getAsLong() - beforeNs;
            if (betweenNs < closestNs) {
                closestNs = betweenNs;
                offsetNs = epochNs - beforeNs - betweenNs / 2;
            }
        }
        return offsetNs;
    }

    private static long epochNs(Instant time) {
        return time.getEpochSecond() * Units.SECOND_NS + time.getNano();
    }
}
