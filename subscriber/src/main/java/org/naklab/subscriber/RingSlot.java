package org.naklab.subscriber;

import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.feed.MessageKind;

/** A place in the ring for one message that was found sound, as it came, on a heap array, which the digest needs. */
final class RingSlot {
    /** Room for every message of {@code OrderBookEvents}, and for those of versions to come that append a few fields. */
    static final int CAPACITY_BYTES = 128;

    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY_BYTES]);
    int length;
    MessageKind kind = MessageKind.OTHER;
    /** {@link System#nanoTime()}'s clock. */
    long receiveTimestampNs;
}
