package org.naklab.lab.replica.service;

/**
 * Schedules the room of the page cache: it shrinks until the kernel has evicted the pages that a late bind reads, and then
 * grows a little, so that pages in use stay in memory. When the time is over, the room stays as it is.
 */
final class SqueezeSchedule {
    static final long FIRST_ROOM_BYTES = 64L << 20;
    /** Times that the room shrinks to a part of {@code 1/e} in the whole schedule, if nothing stops it. */
    static final double FOLDS = 3.75;
    /** Room that is added for pages written from then on, bytes. */
    static final long RELIEF_BYTES = 6L << 20;

    private final long leastRoomBytes;
    private final long endNs;
    private final double foldNs;
    private long lastNs;
    private double roomBytes = FIRST_ROOM_BYTES;
    private boolean hasWidened;
    private boolean isEvicted;

    /** Times are of one clock. */
    SqueezeSchedule(long leastRoomBytes, long nowNs, long narrowForNs) {
        this.leastRoomBytes = leastRoomBytes;
        endNs = nowNs + narrowForNs;
        foldNs = narrowForNs / FOLDS;
        lastNs = nowNs;
    }

    /**
     * Returns the room for the current time; called repeatedly.
     *
     * @param isInMemory whether the pages still are
     * @return the room that is to be left now
     */
    long roomBytes(long nowNs, boolean isInMemory) {
        if (isOver(nowNs)) {
            return (long) roomBytes;
        }
        isEvicted = !isInMemory;
        if (isInMemory) {
            roomBytes = Math.max((double) leastRoomBytes, roomBytes * Math.exp(-(nowNs - lastNs) / foldNs));
        } else if (!hasWidened) {
            hasWidened = true;
            roomBytes += RELIEF_BYTES;
        }
        lastNs = nowNs;
        return (long) roomBytes;
    }

    boolean isOver(long nowNs) {
        return nowNs - endNs >= 0;
    }

    /** Returns whether the pages were evicted at the last query before the end of the schedule. */
    boolean isEvicted() {
        return isEvicted;
    }
}
