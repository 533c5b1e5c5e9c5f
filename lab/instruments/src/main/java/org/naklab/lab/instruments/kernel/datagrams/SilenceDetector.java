package org.naklab.lab.instruments.kernel.datagrams;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.timeline.Interval;

/**
 * Detects when a sender falls silent. A gap between two of its datagrams is a silence if it is at least {@value #FACTOR} times as long as the
 * usual gap: the upper quartile of those of the last five seconds if there are at least {@value #LEAST_GAPS}, or the mean gap if that is longer, so that a
 * slow feed is not silent all the time, and one long gap is not usual. A gap shorter than 150 ms is no silence: Aeron's senders without data send
 * a heartbeat every 100 ms. Silences are not usual.
 */
final class SilenceDetector {
    /** Shorter gaps are not reported to this detector. */
    static final long RESOLUTION_NS = TimeUnit.MILLISECONDS.toNanos(20);

    static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long MEMORY_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int FACTOR = 3;
    private static final int LEAST_GAPS = 4;
    /** Before, nothing is usual. */
    private static final int LEAST_ARRIVALS = 10;

    private final Deque<Interval> recent = new ArrayDeque<>();
    private long firstNs;
    private long lastNs;
    private long count;

    /** Takes the number of datagrams so far, and when the first and the last came in. */
    void onArrivals(long newFirstNs, long newLastNs, long newCount) {
        firstNs = newFirstNs;
        lastNs = newLastNs;
        count = newCount;
    }

    /** Takes a gap that is over; returns whether it was a silence. */
    boolean onGap(Interval gap) {
        boolean isSilent = isSilence(gap);
        if (!isSilent) {
            recent.addLast(gap);
        }
        return isSilent;
    }

    /** Returns whether a gap is a silence, without taking it. */
    boolean isSilence(Interval gap) {
        return count >= LEAST_ARRIVALS
                && gap.lengthNs() >= LEAST_NS
                && gap.lengthNs() >= FACTOR * usualNs(gap.beginNs());
    }

    /** Returns the usual gap at a time, ns. */
    long usualNs(long atNs) {
        while (!recent.isEmpty() && atNs - recent.getFirst().endNs() > MEMORY_NS) {
            recent.removeFirst();
        }
        long meanNs = count == 0 ? 0 : (lastNs - firstNs) / count;
        return Math.max(RESOLUTION_NS, Math.max(upperQuartileNs(), meanNs));
    }

    private long upperQuartileNs() {
        long[] sorted = recent.stream().mapToLong(Interval::lengthNs).sorted().toArray();
        return sorted.length < LEAST_GAPS ? 0 : sorted[(sorted.length - 1) * 3 / 4];
    }

    /** Returns when the last datagram came in, as far as known. */
    long lastNs() {
        return lastNs;
    }
}
