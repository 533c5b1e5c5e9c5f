package org.naklab.lab.instruments.sockets;

import org.naklab.lab.instruments.sampling.Instrument;

/**
 * Detects that a socket holds datagrams and nobody receives them: its depth is above zero and does not fall. The time begins with the last sample at which
 * the socket was empty or its depth had fallen, and ends with the first sample at which it falls. Reported from 5 ms on. Allocation-free; one instance
 * a socket.
 *
 * <p>The kernel may keep up to a quarter of the buffer accounted that was received already, while datagrams wait: a receiver that never
 * empties its socket is seen to receive only each quarter.
 */
final class UnreadDetector {
    static final long REPORTED_NS = 5 * Instrument.MILLISECOND_NS;

    /** Growth is measured over at least this time: datagrams arrive in bursts. */
    private static final long RATE_WINDOW_NS = 5 * Instrument.MILLISECOND_NS;
    /** Datagrams may arrive that many times faster than they were ever seen to. */
    private static final double RATE_MARGIN = 2;

    private long rateBeganNs;
    private long rateBeganBytes;
    private double fastestBytesPerNs;
    private long beganNs;
    private long endedNs;
    private long startBytes;
    private long peakBytes;
    private long lastNs;
    private long lastBytes;
    private long longestGapNs;
    private long foundBeganNs;
    private long foundStartBytes;
    private long foundPeakBytes;
    private long foundLongestGapNs;

    UnreadDetector(long nowNs) {
        beganNs = nowNs;
        lastNs = nowNs;
    }

    /** Takes a sample; true if a time without receipt has ended with it that was long enough. */
    boolean update(long nowNs, long depthBytes) {
        boolean hasFallen = depthBytes < lastBytes;
        boolean isFound = hasFallen && end(lastNs, nowNs);
        if (hasFallen || depthBytes == 0) {
            beganNs = nowNs;
            startBytes = depthBytes;
            peakBytes = depthBytes;
            longestGapNs = 0;
            rateBeganNs = nowNs;
            rateBeganBytes = depthBytes;
        } else {
            measureGrowth(nowNs, depthBytes);
            if (mayHaveBeenEmptied(nowNs - lastNs)) {
                longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
            }
        }
        peakBytes = Math.max(peakBytes, depthBytes);
        lastNs = nowNs;
        lastBytes = depthBytes;
        return isFound;
    }

    private void measureGrowth(long nowNs, long depthBytes) {
        if (nowNs - rateBeganNs >= RATE_WINDOW_NS) {
            fastestBytesPerNs =
                    Math.max(fastestBytesPerNs, (double) (depthBytes - rateBeganBytes) / (nowNs - rateBeganNs));
            rateBeganNs = nowNs;
            rateBeganBytes = depthBytes;
        }
    }

    /** Returns whether the socket, which holds no less now, can have been emptied and filled again within the gap. */
    private boolean mayHaveBeenEmptied(long gapNs) {
        return fastestBytesPerNs == 0 || lastBytes <= RATE_MARGIN * fastestBytesPerNs * gapNs;
    }

    /** Ends the observation; true if a time without receipt lasted until the last sample that was long enough. What happened after it is not known. */
    boolean finish() {
        return lastBytes > 0 && end(lastNs, lastNs);
    }

    /** Ends the time without receipt as {@link #finish} does, and begins another one now: what follows counts by itself. */
    boolean cut(long nowNs) {
        boolean isFound = finish();
        beganNs = nowNs;
        startBytes = lastBytes;
        peakBytes = lastBytes;
        longestGapNs = 0;
        return isFound;
    }

    private boolean end(long lastUnreadNs, long nowNs) {
        endedNs = lastUnreadNs;
        foundBeganNs = beganNs;
        foundStartBytes = startBytes;
        foundPeakBytes = peakBytes;
        foundLongestGapNs = longestGapNs;
        return nowNs - beganNs >= REPORTED_NS && lastUnreadNs > beganNs;
    }

    /** Returns the begin of the time that was found last, ns. */
    long beganNs() {
        return foundBeganNs;
    }

    /** Returns its end, ns: of the last sample before the depth fell. */
    long endedNs() {
        return endedNs;
    }

    /** Returns the depth at its begin. */
    long startBytes() {
        return foundStartBytes;
    }

    /** Returns the greatest depth in it. */
    long peakBytes() {
        return foundPeakBytes;
    }

    /**
     * Returns the longest time between two samples in it, ns, in which the socket may have been emptied and filled again: at the rate at which its depth
     * was seen to grow there was time for that.
     */
    long longestGapNs() {
        return foundLongestGapNs;
    }
}
