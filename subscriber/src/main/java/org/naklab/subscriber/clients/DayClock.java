package org.naklab.subscriber.clients;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Turns times of {@link System#nanoTime()}'s clock into those of the wire, ns after midnight UTC. The offset is read once. */
public final class DayClock {
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    private final long offsetNs;

    private DayClock(long offsetNs) {
        this.offsetNs = offsetNs;
    }

    /** Reads the offset between the clocks. */
    public static DayClock now() {
        Instant now = Instant.now();
        return new DayClock(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime());
    }

    /** Returns the clock of another process of this machine. */
    public static DayClock ofOffset(long offsetNs) {
        return new DayClock(offsetNs);
    }

    /** Returns what to add to a time of {@link System#nanoTime()}'s clock for nanoseconds since 1970. */
    public long offsetNs() {
        return offsetNs;
    }

    /** Returns the time after midnight, ns. */
    public long ofDayNs(long nanoTimeNs) {
        return Math.floorMod(nanoTimeNs + offsetNs, DAY_NS);
    }

    /** Returns how long ago a time of the wire was, ns, at most half a day; negative when it is yet to come. */
    public long ageNs(long ofDayNs, long nowNs) {
        return Math.floorMod(ofDayNs(nowNs) - ofDayNs + DAY_NS / 2, DAY_NS) - DAY_NS / 2;
    }
}
