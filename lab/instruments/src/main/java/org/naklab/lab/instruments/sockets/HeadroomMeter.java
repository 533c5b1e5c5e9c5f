package org.naklab.lab.instruments.sockets;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Headroom.Basis;
import org.naklab.lab.instruments.sampling.SocketSample;

/**
 * Measures the arrival rate of a socket while its reader stands still: as long as no sample of the depth is below the one before, nobody took
 * anything, and the depth grows by exactly what arrives.
 *
 * <pre>
 *  limit ................._____  drops: the growth ends, the stall goes on
 *                      __/     |
 *                   __/        |
 *                __/           |
 *  base _,_,_,_/               '-  a lower sample: the reader is back
 *             | growth  |stall |
 * </pre>
 *
 * The rate is taken between the first and the last sample that grew, so that a pause of the sender before the first datagram does not count. Of
 * several growths, that counts which says most about a full buffer: of those that filled half of it the fastest, and otherwise the largest. A
 * growth is kept when it ends or the buffer overflows. Allocation-free but for a better growth; the sampling thread updates, any thread reads.
 */
final class HeadroomMeter {
    /** Growth of this length, ns, is a measurement; shorter, down to {@link #BRIEF_NS}, an estimate. */
    static final long MEASURED_NS = SocketDepthDetector.PERSIST_NS;

    static final long BRIEF_NS = 1_000_000L;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SECOND = 1e9;
    private static final double FULL_SHARE = 0.9;
    /** Growth that is less comes and goes with a few datagrams that arrive between two samples. */
    private static final long SIGNIFICANT_BYTES = 4 * 1024L;

    private long lastDepthBytes;
    private long lastDrops;

    private long baseNs;
    private long baseBytes;
    private long firstNs;
    private long firstBytes;
    private long grownNs;
    private long grownBytes;
    private boolean growing;
    private boolean overflowing;
    private double predictedNs = Headroom.UNKNOWN;

    private volatile @Nullable Growth best;
    private volatile long longestStallNs;
    private volatile Overflow overflow = new Overflow(Headroom.UNKNOWN, Headroom.UNKNOWN);

    private record Growth(long bytes, long windowNs) {
        double perNs() {
            return bytes / (double) windowNs;
        }
    }

    private record Overflow(double afterNs, double predictedNs) {}

    HeadroomMeter(long nowNs, long depthBytes, long drops) {
        lastDrops = drops;
        begin(nowNs, depthBytes);
    }

    /** Takes a sample; the times never go back. */
    void update(long nowNs, long depthBytes, long limitBytes, long drops) {
        boolean dropped = drops > lastDrops;
        lastDrops = drops;
        if (depthBytes < lastDepthBytes || depthBytes == 0) {
            measureStall(nowNs);
            keepGrowth(limitBytes);
            begin(nowNs, depthBytes);
            return;
        }
        if (dropped && !overflowing && growing && limitBytes > 0 && depthBytes >= FULL_SHARE * limitBytes) {
            overflowing = true;
            keepOverflow(nowNs);
            keepGrowth(limitBytes);
        }
        if (depthBytes > lastDepthBytes && !overflowing) {
            grow(nowNs, depthBytes, limitBytes);
        }
        lastDepthBytes = depthBytes;
        measureStall(nowNs);
    }

    /**
     * Returns the figures so far.
     *
     * @param limitBytes of the buffer by the kernel's accounting, or {@link SocketSample#UNKNOWN}
     */
    Headroom headroom(long limitBytes) {
        Growth growth = best;
        Overflow last = overflow;
        if (growth == null) {
            return new Headroom(
                    Basis.UNKNOWN,
                    Headroom.UNKNOWN,
                    Headroom.UNKNOWN,
                    Headroom.UNKNOWN,
                    longestStallNs / NS_PER_MS,
                    milliseconds(last.afterNs),
                    milliseconds(last.predictedNs));
        }
        return new Headroom(
                growth.windowNs >= MEASURED_NS ? Basis.MEASURED : Basis.ESTIMATED,
                Math.round(growth.perNs() * NS_PER_SECOND),
                growth.windowNs / NS_PER_MS,
                limitBytes > 0 ? limitBytes / growth.perNs() / NS_PER_MS : Headroom.UNKNOWN,
                longestStallNs / NS_PER_MS,
                milliseconds(last.afterNs),
                milliseconds(last.predictedNs));
    }

    /** Ends the last growth. */
    void finish(long limitBytes) {
        keepGrowth(limitBytes);
    }

    private void begin(long nowNs, long depthBytes) {
        lastDepthBytes = depthBytes;
        baseNs = nowNs;
        baseBytes = depthBytes;
        growing = false;
        overflowing = false;
        predictedNs = Headroom.UNKNOWN;
    }

    private void grow(long nowNs, long depthBytes, long limitBytes) {
        if (!growing) {
            growing = true;
            firstNs = nowNs;
            firstBytes = depthBytes;
        }
        grownNs = nowNs;
        grownBytes = depthBytes;
        if (grownNs - firstNs >= MEASURED_NS && limitBytes > 0 && depthBytes <= limitBytes / 2) {
            predictedNs = (limitBytes - baseBytes) / perNs();
        }
    }

    /** Keeps this growth if it says more than those before. */
    private void keepGrowth(long limitBytes) {
        long windowNs = grownNs - firstNs;
        long bytes = grownBytes - firstBytes;
        if (!growing || windowNs < BRIEF_NS || bytes < SIGNIFICANT_BYTES) {
            return;
        }
        Growth before = best;
        if (before == null || isBetter(bytes, windowNs, before, limitBytes)) {
            best = new Growth(bytes, windowNs);
        }
    }

    private static boolean isBetter(long bytes, long windowNs, Growth before, long limitBytes) {
        boolean fillsHalf = limitBytes > 0 && bytes >= limitBytes / 2;
        boolean filledHalf = limitBytes > 0 && before.bytes >= limitBytes / 2;
        if (fillsHalf && filledHalf) {
            return bytes / (double) windowNs >= before.perNs();
        }
        return bytes >= before.bytes;
    }

    /** Keeps the last overflow; one that could be predicted is not replaced by one that could not. */
    private void keepOverflow(long nowNs) {
        if (predictedNs >= 0 || overflow.predictedNs < 0) {
            overflow = new Overflow(nowNs - beganNs(), predictedNs);
        }
    }

    private double perNs() {
        return (grownBytes - firstBytes) / (double) (grownNs - firstNs);
    }

    /** Returns when the first datagram of the growth must have arrived, but not before the reader was last seen. */
    private long beganNs() {
        if (grownNs == firstNs) {
            return firstNs;
        }
        return Math.max(baseNs, firstNs - Math.round((firstBytes - baseBytes) / perNs()));
    }

    /** Counts only growth that lasted: a busy reader is often seen with the same few datagrams in two samples. */
    private void measureStall(long nowNs) {
        if (growing && grownNs - firstNs >= MEASURED_NS && grownBytes - baseBytes >= SIGNIFICANT_BYTES) {
            longestStallNs = Math.max(longestStallNs, nowNs - beganNs());
        }
    }

    private static double milliseconds(double durationNs) {
        return durationNs < 0 ? Headroom.UNKNOWN : durationNs / NS_PER_MS;
    }
}
