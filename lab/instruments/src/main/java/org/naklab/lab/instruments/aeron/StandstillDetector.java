package org.naklab.lab.instruments.aeron;

import org.naklab.lab.instruments.sampling.Instrument;

/**
 * Detects that the position of a subscriber stands still although there is something to poll. The time begins with the last sample at which the position had moved or
 * nothing was left to poll, and ends with the last sample before it moves. Reported from 5 ms on. A position that never moved is of a subscriber that does
 * not poll at all, which is no standstill. Allocation-free; one instance a subscription.
 */
final class StandstillDetector {
    static final long REPORTED_NS = 5 * Instrument.MILLISECOND_NS;

    private long lastPosition;
    private long lastNs;
    private long beganNs;
    private long peakBytes;
    private boolean hasMoved;
    private boolean isWaiting;
    private long foundBeganNs;
    private long foundEndedNs;
    private long foundPeakBytes;

    StandstillDetector(long nowNs, long position) {
        lastNs = nowNs;
        beganNs = nowNs;
        lastPosition = position;
    }

    /**
     * Takes a sample; true if a standstill has ended with it that was long enough.
     *
     * @param position up to which the subscriber has polled
     * @param depthBytes what is left to poll
     */
    boolean update(long nowNs, long position, long depthBytes) {
        boolean moves = position != lastPosition;
        boolean isFound = moves && isWaiting && end();
        if (moves || depthBytes == 0) {
            beganNs = nowNs;
            peakBytes = depthBytes;
        }
        peakBytes = Math.max(peakBytes, depthBytes);
        isWaiting = depthBytes > 0;
        hasMoved |= moves;
        lastPosition = position;
        lastNs = nowNs;
        return isFound;
    }

    /** Ends the observation; true if a standstill is still going on that is long enough. */
    boolean finish() {
        return isWaiting && end();
    }

    private boolean end() {
        foundBeganNs = beganNs;
        foundEndedNs = lastNs;
        foundPeakBytes = peakBytes;
        return hasMoved && lastNs - beganNs >= REPORTED_NS;
    }

    /** Returns whether the subscriber was seen to poll. */
    boolean hasMoved() {
        return hasMoved;
    }

    /** Returns the begin of the standstill that was found last, ns. */
    long beganNs() {
        return foundBeganNs;
    }

    /** Returns its end, ns: of the last sample before the position moved. */
    long endedNs() {
        return foundEndedNs;
    }

    /** Returns the most that was left to poll in it, bytes. */
    long peakBytes() {
        return foundPeakBytes;
    }
}
