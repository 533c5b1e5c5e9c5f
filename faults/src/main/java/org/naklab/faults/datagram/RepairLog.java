package org.naklab.faults.datagram;

import org.agrona.collections.Long2LongHashMap;

/** Measures when data of gaps that was lost passes after all. Not thread-safe. */
final class RepairLog {
    private static final long NONE = Long.MIN_VALUE;

    private final boolean isOfGaps;
    private final Direction direction;
    private final Long2LongHashMap firstStruckNs = new Long2LongHashMap(NONE);
    private long repaired;
    private long longestNs;

    RepairLog(Selection selection) {
        isOfGaps = !selection.gaps().isEmpty();
        direction = selection.direction();
    }

    /** Takes a datagram that does not pass. */
    void onStruck(Datagram datagram, long nowNs) {
        if (isOfGaps && datagram.traffic() == Traffic.DATA) {
            firstStruckNs.putIfAbsent(datagram.place(), nowNs);
        }
    }

    /** Takes a datagram that passes. */
    void onPassed(Datagram datagram) {
        if (!firstStruckNs.isEmpty() && datagram.traffic() == Traffic.DATA && datagram.direction() == direction) {
            long struckNs = firstStruckNs.remove(datagram.place());
            if (struckNs != NONE) {
                repaired++;
                longestNs = Math.max(longestNs, System.nanoTime() - struckNs);
            }
        }
    }

    /** Returns the number of struck datagrams that have passed since; data that came back together with other data before it is not counted. */
    long repaired() {
        return repaired;
    }

    /** Returns the longest time from the first strike to the passage, ns. */
    long longestNs() {
        return longestNs;
    }
}
