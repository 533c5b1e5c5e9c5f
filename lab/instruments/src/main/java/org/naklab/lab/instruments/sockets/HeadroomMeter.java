package org.naklab.lab.instruments.sockets;

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
 * The rate is taken between the first and the last sample that grew, so that a pause of the sender before the first datagram does not count. A
 * slow reader that takes less than what arrives looks like a lower rate; so the highest rate stays. Allocation-free; the sampling thread
 * updates it, and others may read figures that are a sample old.
 */
final class HeadroomMeter {
    /** Growth of this length, ns, is a measurement; of at least {@link #BRIEF_NS}, an estimate. */
    static final long MEASURED_NS = SocketDepthDetector.PERSIST_NS;

    static final long BRIEF_NS = 1_000_000L;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SECOND = 1e9;
    private static final double FULL_SHARE = 0.9;
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

    private double measuredPerNs;
    private long measuredWindowNs;
    private double briefPerNs;
    private long briefWindowNs;
    private long longestStallNs;
    private double overflowAfterNs = Headroom.UNKNOWN;
    private double overflowPredictedNs = Headroom.UNKNOWN;

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
            keepRate();
            begin(nowNs, depthBytes);
            return;
        }
        if (dropped && !overflowing && growing && limitBytes > 0 && depthBytes >= FULL_SHARE * limitBytes) {
            overflowing = true;
            overflowAfterNs = nowNs - beganNs();
            overflowPredictedNs = predictedNs;
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
        Rate rate = rate();
        double perNs = rate.bytesPerNs();
        boolean isKnown = rate.basis() != Basis.UNKNOWN;
        return new Headroom(
                rate.basis(),
                isKnown ? Math.round(perNs * NS_PER_SECOND) : Headroom.UNKNOWN,
                isKnown ? rate.windowNs() / NS_PER_MS : Headroom.UNKNOWN,
                isKnown && limitBytes > 0 ? limitBytes / perNs / NS_PER_MS : Headroom.UNKNOWN,
                longestStallNs / NS_PER_MS,
                milliseconds(overflowAfterNs),
                milliseconds(overflowPredictedNs));
    }

    private record Rate(Basis basis, double bytesPerNs, long windowNs) {}

    /** Returns the highest rate; that of the growth that is going on counts too. */
    private Rate rate() {
        long windowNs = growing ? grownNs - firstNs : 0;
        if (windowNs >= MEASURED_NS && perNs() >= measuredPerNs) {
            return new Rate(Basis.MEASURED, perNs(), windowNs);
        }
        if (measuredPerNs > 0) {
            return new Rate(Basis.MEASURED, measuredPerNs, measuredWindowNs);
        }
        if (windowNs >= BRIEF_NS && perNs() >= briefPerNs) {
            return new Rate(Basis.ESTIMATED, perNs(), windowNs);
        }
        return new Rate(briefPerNs > 0 ? Basis.ESTIMATED : Basis.UNKNOWN, briefPerNs, briefWindowNs);
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
        if (grownNs > firstNs && limitBytes > 0 && depthBytes <= limitBytes / 2) {
            predictedNs = (limitBytes - baseBytes) / perNs();
        }
    }

    /** Keeps the rate of this growth if it is higher than those before. */
    private void keepRate() {
        long windowNs = grownNs - firstNs;
        if (!growing || windowNs < BRIEF_NS) {
            return;
        }
        if (windowNs >= MEASURED_NS && perNs() >= measuredPerNs) {
            measuredPerNs = perNs();
            measuredWindowNs = windowNs;
        } else if (windowNs < MEASURED_NS && perNs() >= briefPerNs) {
            briefPerNs = perNs();
            briefWindowNs = windowNs;
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
