package org.naklab.subscriber;

import com.lmax.disruptor.RingBuffer;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Copies each message from the transport into the ring, on the context thread. A full ring leaves the message with the
 * transport: it comes again in the next duty cycle, and is never dropped here.
 */
final class FeedReceiver implements ControlledFragmentHandler {
    private final RingBuffer<RingSlot> ring;
    private final NanoClock nanoClock;
    private final ServiceFailure failure;
    private final AtomicLong backPressure;

    FeedReceiver(RingBuffer<RingSlot> ring, NanoClock nanoClock, ServiceFailure failure, AtomicLong backPressure) {
        this.ring = ring;
        this.nanoClock = nanoClock;
        this.failure = failure;
        this.backPressure = backPressure;
    }

    @Override
    public Action onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        if (failure.isSet()) {
            return Action.ABORT;
        }
        if (!ring.hasAvailableCapacity(1)) {
            backPressure.lazySet(backPressure.getPlain() + 1);
            return Action.ABORT;
        }
        long sequence = ring.next();
        RingSlot slot = ring.get(sequence);
        if (length > slot.buffer.capacity()) {
            // The slot was claimed: publish it as empty, so that the ring stays whole for those who drain it.
            slot.length = 0;
            ring.publish(sequence);
            failure.set(new FeedException("a message of " + length + " bytes exceeds the " + slot.buffer.capacity()
                    + " bytes of a ring slot"));
            return Action.ABORT;
        }
        slot.buffer.putBytes(0, buffer, offset, length);
        slot.length = length;
        slot.receiveTimestampNs = nanoClock.nanoTime();
        ring.publish(sequence);
        return Action.CONTINUE;
    }
}
