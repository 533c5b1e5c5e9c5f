package org.naklab.lab.core.series;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.core.Headroom.Basis;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;

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
 * the growths of the last ten seconds, that counts which is in the middle of their time, by rate: one burst among them is not what usually comes
 * in. Growths of less than 5 ms count only where there is no longer one. A growth is kept when it ends or the buffer overflows. Allocation-free
 * but for a growth; the sampling thread updates, any thread reads.
 */
public final class HeadroomMeter {
    /** Growth of this length, ns, is a measurement; shorter, down to {@link #BRIEF_NS}, an estimate. */
    public static final long MEASURED_NS = 5_000_000L;

    static final long BRIEF_NS = 1_000_000L;
    /** A growth that ended so long before the last one, ns, tells nothing of the present. */
    static final long PRESENT_NS = Math.round(Headroom.PRESENT_MS * Units.MS_NS);

    /** The longest stall is lately the longest for one to two of these times, ns. */
    static final long LATELY_NS = 60 * Units.SECOND_NS;

    private static final int MAX_GROWTHS = 64;
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

    /** The last ones, the oldest first. */
    private final ArrayDeque<Growth> growths = new ArrayDeque<>(MAX_GROWTHS);

    private volatile @Nullable Usual usual;
    private volatile long longestStallNs;
    private volatile Lately lately;
    private volatile long lastStallEndNs;
    /** Written after the end: whoever reads it first never takes the begin of one stall for that of another. */
    private volatile long lastStallNs;

    private volatile Overflow overflow = new Overflow(Headroom.UNKNOWN, Headroom.UNKNOWN);

    private record Growth(long endNs, long bytes, long windowNs) {
        boolean isMeasured() {
            return windowNs >= MEASURED_NS;
        }

        double perNs() {
            return bytes / (double) windowNs;
        }
    }

    /** The growth that counts, and when the last one ended. */
    private record Usual(Growth growth, long lastNs) {}

    /** The longest stalls of a minute and of the minute before, and when the minute began. */
    private record Lately(long beganNs, long longestNs, long beforeNs) {
        Lately at(long nowNs) {
            long passedNs = nowNs - beganNs;
            if (passedNs < LATELY_NS) {
                return this;
            }
            return new Lately(nowNs, 0, passedNs < 2 * LATELY_NS ? longestNs : 0);
        }

        Lately with(long stallNs) {
            return stallNs <= longestNs ? this : new Lately(beganNs, stallNs, beforeNs);
        }
    }

    private record Overflow(double afterNs, double predictedNs) {}

    /**
     * Begins with a first sample.
     *
     * @param nowNs its time, CLOCK_MONOTONIC
     */
    public HeadroomMeter(long nowNs, long depthBytes, long drops) {
        lastDrops = drops;
        lately = new Lately(nowNs, 0, 0);
        begin(nowNs, depthBytes);
    }

    /** Takes a sample; the times never go back. */
    public void update(long nowNs, long depthBytes, long limitBytes, long drops) {
        boolean dropped = drops > lastDrops;
        lastDrops = drops;
        if (depthBytes < lastDepthBytes || depthBytes == 0) {
            measureStall(nowNs);
            keepGrowth();
            begin(nowNs, depthBytes);
            return;
        }
        if (dropped && !overflowing && growing && limitBytes > 0 && depthBytes >= FULL_SHARE * limitBytes) {
            overflowing = true;
            keepOverflow(nowNs);
            keepGrowth();
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
     * @param limitBytes of the buffer by the kernel's accounting, 0 or less: not known
     * @param nowNs CLOCK_MONOTONIC
     */
    public Headroom headroom(long limitBytes, long nowNs) {
        Usual counted = usual;
        Overflow last = overflow;
        if (counted == null) {
            return new Headroom(
                    Basis.UNKNOWN,
                    Headroom.UNKNOWN,
                    Headroom.UNKNOWN,
                    Headroom.UNKNOWN,
                    longestStallNs / Units.NS_PER_MS,
                    milliseconds(last.afterNs),
                    milliseconds(last.predictedNs),
                    0);
        }
        Growth growth = counted.growth;
        return new Headroom(
                growth.isMeasured() ? Basis.MEASURED : Basis.ESTIMATED,
                Math.round(growth.perNs() * Units.NS_PER_S),
                growth.windowNs / Units.NS_PER_MS,
                limitBytes > 0 ? limitBytes / growth.perNs() / Units.NS_PER_MS : Headroom.UNKNOWN,
                longestStallNs / Units.NS_PER_MS,
                milliseconds(last.afterNs),
                milliseconds(last.predictedNs),
                Math.max(0, nowNs - counted.lastNs) / Units.NS_PER_MS);
    }

    /**
     * Returns the longest time of the last one to two minutes in which the reader took nothing, ns; 0 if there was none of 5 ms or more. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC
     */
    public long longestLatelyNs(long nowNs) {
        Lately last = lately.at(nowNs);
        return Math.max(last.longestNs, last.beforeNs);
    }

    /**
     * Returns how long it takes until the buffer is full if the reader takes nothing from now on, ms; {@link Headroom#UNKNOWN}: no rate or no limit is known. The
     * rate of the growth that lasts counts if it is a measurement already, otherwise the usual one, unless the last growth ended more than ten seconds ago. For the thread that updates.
     *
     * @param limitBytes of the buffer by the kernel's accounting; 0 or less: not known
     * @param nowNs CLOCK_MONOTONIC
     */
    public double leftMs(long limitBytes, long nowNs) {
        boolean isMeasured = growing && grownNs - firstNs >= MEASURED_NS;
        Usual last = usual;
        Usual counted = last == null || nowNs - last.lastNs > PRESENT_NS ? null : last;
        if (limitBytes <= 0 || (!isMeasured && counted == null)) {
            return Headroom.UNKNOWN;
        }
        double rate = isMeasured || counted == null ? perNs() : counted.growth.perNs();
        return Math.max(0, limitBytes - lastDepthBytes) / rate / Units.NS_PER_MS;
    }

    /** Ends the last growth. */
    public void finish() {
        keepGrowth();
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

    private void keepGrowth() {
        long windowNs = grownNs - firstNs;
        long bytes = grownBytes - firstBytes;
        Growth last = growths.peekLast();
        boolean isKept = last != null && last.endNs == grownNs;
        if (!growing || windowNs < BRIEF_NS || bytes < SIGNIFICANT_BYTES || isKept) {
            return;
        }
        if (growths.size() == MAX_GROWTHS) {
            growths.removeFirst();
        }
        growths.addLast(new Growth(grownNs, bytes, windowNs));
        while (grownNs - growths.getFirst().endNs > PRESENT_NS) {
            growths.removeFirst();
        }
        usual = new Usual(usualOf(growths.stream().anyMatch(Growth::isMeasured)), grownNs);
    }

    /** Returns the growth at the middle of the time of all, by rate. */
    private Growth usualOf(boolean isMeasured) {
        List<Growth> counted = growths.stream()
                .filter(growth -> growth.isMeasured() == isMeasured)
                .sorted(Comparator.comparingDouble(Growth::perNs))
                .toList();
        long leftNs = counted.stream().mapToLong(Growth::windowNs).sum() / 2;
        for (Growth growth : counted) {
            leftNs -= growth.windowNs;
            if (leftNs < 0) {
                return growth;
            }
        }
        return counted.get(counted.size() - 1);
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
            long stallNs = nowNs - beganNs();
            longestStallNs = Math.max(longestStallNs, stallNs);
            lately = lately.at(nowNs).with(stallNs);
            lastStallEndNs = nowNs;
            lastStallNs = stallNs;
        }
    }

    /** Returns the last stall, which may go on; {@code null}: there was none of 5 ms or more. */
    public @Nullable Interval lastStall() {
        long lengthNs = lastStallNs;
        long endNs = lastStallEndNs;
        return lengthNs == 0 ? null : new Interval(endNs - lengthNs, endNs);
    }

    private static double milliseconds(double durationNs) {
        return durationNs < 0 ? Headroom.UNKNOWN : durationNs / Units.NS_PER_MS;
    }
}
