package org.naklab.lab.scenarios.quotes;

import java.util.Arrays;

/**
 * Converts the receive timestamps of a journal, which are of the wall clock, to the clock of the senders' times. The wall clock is
 * corrected all the time and drifts by some 50 µs in a second, so that its offset at the beginning of a run is wrong soon. An event is
 * not received before it was sent: the offset is the least difference of both times in the last {@value #SECONDS} s. What is left of
 * the error is the shortest time on the way, and the drift of these seconds.
 */
final class ReceiptClock {
    private static final int SECONDS = 10;
    private static final long SECOND_NS = 1_000_000_000;

    private final long[] least = new long[SECONDS];
    private long second = Long.MIN_VALUE;

    ReceiptClock() {
        Arrays.fill(least, Long.MAX_VALUE);
    }

    /**
     * Returns when an event was received, on the clock of its sending. Events come in the order of the feed.
     *
     * @param receivedEpochNs nanoseconds since 1970
     */
    long receivedNs(long receivedEpochNs, long sentNs) {
        long now = Math.max(second, Math.floorDiv(sentNs, SECOND_NS));
        if (second == Long.MIN_VALUE) {
            second = now;
        }
        if (now - second >= SECONDS) {
            Arrays.fill(least, Long.MAX_VALUE);
            second = now;
        }
        while (second < now) {
            second++;
            least[Math.floorMod(second, SECONDS)] = Long.MAX_VALUE;
        }
        int index = Math.floorMod(second, SECONDS);
        least[index] = Math.min(least[index], receivedEpochNs - sentNs);
        return receivedEpochNs - Arrays.stream(least).min().orElseThrow();
    }
}
