package org.naklab.subscriber;

import org.naklab.messaging.codec.OrderBookSnapshotDecoder;

/** Shown each snapshot that a gateway views, on its context thread. */
@FunctionalInterface
public interface SnapshotListener {
    /** Takes no notice. */
    SnapshotListener NONE = snapshot -> {};

    /** Called with a decoder that is reused; what is to be kept must be copied. */
    void onSnapshot(OrderBookSnapshotDecoder snapshot);
}
