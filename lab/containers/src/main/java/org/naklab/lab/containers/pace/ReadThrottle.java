package org.naklab.lab.containers.pace;

import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The limit of a container's reads, and the time at which it begins.
 *
 * <p>The kernel's throttle (block/blk-throttle.c) lets reads through at the ends of slices of 100 ms, as many as are due. So a late
 * bind waits for the rest of the slice that it begins in, and for whole slices after that: the first is a matter of when the budget
 * began to be spent, the others of how many reads are due in a slice.
 *
 * @param readsPerSecond the limit
 * @param firstWaitMs the rest of the slice that is left when the bind begins, ms, up to {@value #SLICE_MS}
 */
public record ReadThrottle(long readsPerSecond, long firstWaitMs) {
    static final long SLICE_MS = 100;

    /** A bind that begins earlier or later by less than what is left at either end stays in its slice. */
    private static final long LEAST_FIRST_WAIT_MS = 25;

    private static final long MOST_FIRST_WAIT_MS = 85;

    private static final long MOST_READS_PER_SECOND = 40;
    /** The bind, and who spends the budget. */
    private static final double READERS_IN_LINE = 2;

    private static final double SLICES_PER_SECOND = TimeUnit.SECONDS.toMillis(1) / (double) SLICE_MS;
    /** The bind's own two, each behind one of who spends the budget. */
    private static final long READS_IN_LINE = 4;

    /**
     * Returns the limit that should come nearest to the wanted length.
     *
     * @param stallNs how long a late bind is to take, ns
     */
    static ReadThrottle near(long stallNs) {
        long stallMs = TimeUnit.NANOSECONDS.toMillis(stallNs);
        return Stream.iterate(MOST_READS_PER_SECOND, reads -> reads >= 1, reads -> reads / 2)
                .map(reads -> new ReadThrottle(reads, firstWaitMs(stallMs - laterWaitsMs(reads))))
                .min(Comparator.comparingDouble(pace -> pace.errorOf(stallMs)))
                .orElseThrow();
    }

    /**
     * The pace that should come nearest where a bind misses so many pages. Each is read behind one read of who spends the budget;
     * of all limits that let these through in the same number of slices, the one in the middle.
     *
     * @param stallNs how long a late bind is to take, ns
     * @param majorFaults at least 1
     */
    static ReadThrottle forFaults(long stallNs, long majorFaults) {
        long stallMs = TimeUnit.NANOSECONDS.toMillis(stallNs);
        long slices = LongStream.rangeClosed(1, stallMs / SLICE_MS + 2)
                .boxed()
                .min(Comparator.comparingLong(count -> missMs(stallMs, count)))
                .orElseThrow();
        double slowest = READERS_IN_LINE * majorFaults * SLICES_PER_SECOND / slices;
        double fastest = slices == 1 ? 2 * slowest : READERS_IN_LINE * majorFaults * SLICES_PER_SECOND / (slices - 1);
        long readsPerSecond = Math.max((long) Math.ceil(slowest), Math.round(Math.sqrt(slowest * fastest)));
        return new ReadThrottle(readsPerSecond, firstWaitMs(stallMs - (slices - 1) * SLICE_MS));
    }

    /**
     * Returns the distance, ms, between the wanted length and that of a bind that waits for the rest of one slice and for
     * all further slices.
     */
    private static long missMs(long stallMs, long slices) {
        long wantedMs = stallMs - (slices - 1) * SLICE_MS;
        return Math.abs(wantedMs - firstWaitMs(wantedMs));
    }

    /**
     * Returns this limit, corrected by as much as a bind was off.
     *
     * @param tookNs how long a bind took at this pace
     */
    ReadThrottle corrected(long tookNs, long stallNs) {
        long corrected = Math.max(1, Math.round((double) readsPerSecond * tookNs / stallNs));
        long other = tookNs > stallNs ? readsPerSecond + 1 : Math.max(1, readsPerSecond - 1);
        return new ReadThrottle(corrected == readsPerSecond ? other : corrected, firstWaitMs);
    }

    private static long firstWaitMs(long wantedMs) {
        return Math.min(MOST_FIRST_WAIT_MS, Math.max(LEAST_FIRST_WAIT_MS, wantedMs));
    }

    private static long laterWaitsMs(long readsPerSecond) {
        long readsTakeMs = TimeUnit.SECONDS.toMillis(1) * READS_IN_LINE / readsPerSecond;
        return readsTakeMs - SLICE_MS;
    }

    private double errorOf(long stallMs) {
        return Math.abs((double) (firstWaitMs + laterWaitsMs(readsPerSecond)) / stallMs - 1);
    }
}
