package org.naklab.exchange.pacing;

import org.naklab.messaging.feed.OrderEvent;

/** Event n is due n / rate seconds after the start; no rounding error adds up. */
final class ConstantRatePacer implements Pacer {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final long messagesPerSecond;

    ConstantRatePacer(long messagesPerSecond) {
        if (messagesPerSecond < 1 || messagesPerSecond > NANOS_PER_SECOND) {
            throw new IllegalArgumentException(
                    "rate must be 1 to " + NANOS_PER_SECOND + " messages a second: " + messagesPerSecond);
        }
        this.messagesPerSecond = messagesPerSecond;
    }

    @Override
    public long dueNs(OrderEvent next, long index) {
        long seconds = index / messagesPerSecond;
        return seconds * NANOS_PER_SECOND + index % messagesPerSecond * NANOS_PER_SECOND / messagesPerSecond;
    }
}
