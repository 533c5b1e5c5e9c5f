package org.naklab.exchange.pacing;

import org.naklab.messaging.feed.OrderEvent;

/** The first event is due at the start, the others as long after it as recorded, divided by the speed. */
final class RecordedTimePacer implements Pacer {
    private final double speed;
    private long firstTimestampNs;

    RecordedTimePacer(double speed) {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("speed must be positive: " + speed);
        }
        this.speed = speed;
    }

    @Override
    public long dueNs(OrderEvent next, long index) {
        if (index == 0) {
            firstTimestampNs = next.exchangeTimestampNs;
        }
        return (long) ((next.exchangeTimestampNs - firstTimestampNs) / speed);
    }
}
