package org.naklab.exchange.pacing;

import org.naklab.messaging.feed.OrderEvent;

/** Tells when each event is due. Asked once for each event, in order, on the feed thread. */
@FunctionalInterface
public interface Pacer {
    /** Due at once: there is no schedule to be late for. */
    long NOW = Long.MIN_VALUE;

    /**
     * The event's place in the schedule.
     *
     * @param index 0 for the flow's first event
     * @return nanoseconds after the start of sending, or {@link #NOW}
     */
    long dueNs(OrderEvent next, long index);

    /** Returns a pacer of so many messages in each second, evenly spaced. */
    static Pacer constantRate(long messagesPerSecond) {
        return new ConstantRatePacer(messagesPerSecond);
    }

    /** As the exchange's timestamps say, {@code speed} times as fast. */
    static Pacer recordedTime(double speed) {
        return new RecordedTimePacer(speed);
    }

    static Pacer asFastAsPossible() {
        return (next, index) -> NOW;
    }
}
