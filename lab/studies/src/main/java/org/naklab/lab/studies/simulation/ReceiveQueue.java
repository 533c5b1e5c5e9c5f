package org.naklab.lab.studies.simulation;

import java.util.SplittableRandom;

/**
 * A socket's buffer and the thread that reads it; of all receivers that get the same datagrams at the same time and read them at the same
 * speed. The thread may stall.
 */
final class ReceiveQueue {
    /** A datagram for which there was no room. */
    static final long DROPPED = -1;

    private final SplittableRandom random;
    private final SleepCycles sleeps;
    private final long serviceNs;
    private final long stallBeginNs;
    private final long stallNs;
    private final long stallEveryNs;
    /** Times at which what is in the buffer is taken out, a ring. */
    private final long[] takenNs;

    private int first;
    private int size;
    private long busyUntilNs;
    private long dropped;

    /**
     * Creates an empty queue.
     *
     * @param random decides when a sleeping thread wakes up
     * @param capacity in datagrams
     * @param sleeps of a thread that finds nothing
     * @param stallBeginNs of the first stall
     * @param stallNs length of a stall; 0: there is none
     * @param stallEveryNs from one stall to the next; 0: there is one
     */
    ReceiveQueue(
            SplittableRandom random,
            int capacity,
            SleepCycles sleeps,
            long serviceNs,
            long stallBeginNs,
            long stallNs,
            long stallEveryNs) {
        this.random = random;
        this.sleeps = sleeps;
        this.serviceNs = serviceNs;
        this.stallBeginNs = stallBeginNs;
        this.stallNs = stallNs;
        this.stallEveryNs = stallEveryNs;
        takenNs = new long[Math.max(1, capacity)];
    }

    /** Puts a datagram in, not earlier than the one before; returns when the thread is done with it, or {@link #DROPPED}. */
    long admit(long arrivalNs) {
        while (size > 0 && takenNs[first] <= arrivalNs) {
            first = (first + 1) % takenNs.length;
            size--;
        }
        if (size == takenNs.length) {
            dropped++;
            return DROPPED;
        }
        boolean isAsleep = busyUntilNs < arrivalNs && !sleeps.isNone();
        long noticedNs = isAsleep ? arrivalNs + sleeps.waitNs(random) : busyUntilNs;
        busyUntilNs = awakeNs(Math.max(arrivalNs, noticedNs)) + serviceNs;
        takenNs[(first + size++) % takenNs.length] = busyUntilNs;
        return busyUntilNs;
    }

    /** Keeps the thread busy with other work from that time on; returns when it begins with it. */
    long occupy(long fromNs, long lengthNs) {
        long beginNs = awakeNs(Math.max(fromNs, busyUntilNs));
        busyUntilNs = beginNs + lengthNs;
        return beginNs;
    }

    /** Returns the time itself, or the end of the stall that it is in. */
    long awakeNs(long timeNs) {
        if (stallNs == 0 || timeNs < stallBeginNs) {
            return timeNs;
        }
        long sinceNs = stallEveryNs == 0 ? timeNs - stallBeginNs : (timeNs - stallBeginNs) % stallEveryNs;
        return sinceNs < stallNs ? timeNs + stallNs - sinceNs : timeNs;
    }

    /** Returns the number of datagrams for which there was no room. */
    long dropped() {
        return dropped;
    }
}
