package org.naklab.subscriber;

import com.lmax.disruptor.RingBuffer;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;
import org.naklab.subscriber.feed.FeedIdCheck;

/**
 * Copies each sound message of the feed from the transport into the ring, on the context thread. What is malformed, not for this
 * version or of another feed is counted and goes no further. A full ring leaves the message with the transport: it comes again in the
 * next duty cycle, and is never dropped here.
 */
final class FeedReceiver implements ControlledFragmentHandler {
    private final RingBuffer<RingSlot> ring;
    private final NanoClock nanoClock;
    private final ServiceFailure failure;
    private final ServiceCounters counters;
    private final FeedIdCheck feedIdCheck;

    FeedReceiver(
            RingBuffer<RingSlot> ring,
            NanoClock nanoClock,
            ServiceFailure failure,
            ServiceCounters counters,
            FeedIdCheck feedIdCheck) {
        this.ring = ring;
        this.nanoClock = nanoClock;
        this.failure = failure;
        this.counters = counters;
        this.feedIdCheck = feedIdCheck;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        if (failure.isSet()) {
            return Action.ABORT;
        }
        if (!ring.hasAvailableCapacity(1)) {
            counters.backPressure.lazySet(counters.backPressure.getPlain() + 1);
            return Action.ABORT;
        }
        MessageKind kind = FeedMessages.kind(buffer, offset, length);
        if (isTaken(buffer, offset, length, kind)) {
            long sequence = ring.next();
            RingSlot slot = ring.get(sequence);
            slot.buffer.putBytes(0, buffer, offset, length);
            slot.length = length;
            slot.kind = kind;
            slot.receiveTimestampNs = nanoClock.nanoTime();
            ring.publish(sequence);
        }
        return Action.CONTINUE;
    }

    private boolean isTaken(DirectBuffer buffer, int offset, int length, MessageKind kind) {
        boolean isSound =
                switch (kind) {
                    case EVENT -> length <= RingSlot.CAPACITY_BYTES;
                    case HEARTBEAT, TRAILER ->
                        length <= RingSlot.CAPACITY_BYTES
                                && feedIdCheck.accepts(FeedMessages.feedId(buffer, offset, kind));
                    case OTHER -> {
                        counters.ignored.lazySet(counters.ignored.getPlain() + 1);
                        yield false;
                    }
                    case MALFORMED -> false;
                };
        if (!isSound && kind != MessageKind.OTHER) {
            counters.rejected.lazySet(counters.rejected.getPlain() + 1);
        }
        return isSound;
    }
}
