package org.naklab.lab.replica.quotes;

import java.util.Arrays;
import org.naklab.lab.core.Units;

/**
 * Converts the receive timestamps of a journal, which are of the wall clock, to the clock of the senders' times. The wall clock is
 * corrected all the time and drifts by some 50 µs in a second, so that its offset at the beginning of a run is wrong soon. An event is
 * not received before it was sent: the offset is the least difference of both times in the last {@value #SECONDS} s. Linux corrects
 * the wall clock by at most {@value #MOST_DRIFT_PPM} µs in a second, so the offset never grows faster than that: if every event of the
 * last {@value #SECONDS} s is late, their delay is not taken for an offset. What is left of the error is the shortest time on the way,
 * and the drift of these seconds.
 *
 * <p>A wall clock that is set forward during a run looks like a delay of all later events.
 */
final class ReceiptClock {
    private static final int SECONDS = 10;
    private static final int MOST_DRIFT_PPM = 500;
    private static final long NONE = Long.MAX_VALUE;

    private final long[] least = new long[SECONDS];
    private long second = Long.MIN_VALUE;
    private long offsetNs = NONE;
    private long offsetAtNs;

    ReceiptClock() {
        Arrays.fill(least, NONE);
    }

    /** Returns whether an event with a known send time was seen, so that {@link #receivedNs(long)} has an answer. */
    boolean isSet() {
        return offsetNs != NONE;
    }

    /**
     * Returns when an event was received whose send time is not known, on the clock of the senders.
     *
     * @param receivedEpochNs nanoseconds since 1970
     */
    long receivedNs(long receivedEpochNs) {
        return receivedEpochNs - offsetNs;
    }

    /**
     * Returns when an event was received, on the clock of its sending. Events come in the order of the feed.
     *
     * @param receivedEpochNs nanoseconds since 1970
     */
    long receivedNs(long receivedEpochNs, long sentNs) {
        long now = Math.max(second, Math.floorDiv(sentNs, Units.SECOND_NS));
        if (second == Long.MIN_VALUE) {
            second = now;
        }
        if (now - second >= SECONDS) {
            Arrays.fill(least, NONE);
            second = now;
        }
        while (second < now) {
            second++;
            least[Math.floorMod(second, SECONDS)] = NONE;
        }
        int index = Math.floorMod(second, SECONDS);
        least[index] = Math.min(least[index], receivedEpochNs - sentNs);
        long leastNs = Arrays.stream(least).min().orElseThrow();
        offsetNs = isSet() ? Math.min(leastNs, offsetNs + mostDriftNs(sentNs)) : leastNs;
        offsetAtNs = Math.max(offsetAtNs, sentNs);
        return receivedEpochNs - offsetNs;
    }

    private long mostDriftNs(long sentNs) {
        return Math.max(0, sentNs - offsetAtNs) * MOST_DRIFT_PPM / 1_000_000;
    }
}
