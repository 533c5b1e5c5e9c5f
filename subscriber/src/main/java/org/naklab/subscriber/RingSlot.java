package org.naklab.subscriber;

import org.agrona.concurrent.UnsafeBuffer;

/** A place in the ring for one message as it came, on a heap array, which the digest needs. */
final class RingSlot {
    final UnsafeBuffer buffer;
    int length;
    /** {@link System#nanoTime()}'s clock. */
    long receiveTimestampNs;

    RingSlot(int capacityBytes) {
        buffer = new UnsafeBuffer(new byte[capacityBytes]);
    }
}
