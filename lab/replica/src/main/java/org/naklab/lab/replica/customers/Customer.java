package org.naklab.lab.replica.customers;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.clients.ItchClient;
import org.naklab.subscriber.itch.ItchReader;

/** A customer of a server, on the thread of all customers. */
abstract class Customer implements ItchReader.Handler {
    private final AtomicLong messages = new AtomicLong();
    private volatile @Nullable ItchClient client;

    /** Takes note of a message that was read. */
    final void count() {
        messages.lazySet(messages.getPlain() + 1);
    }

    /** Returns how many messages it has read. Any thread. */
    final long messages() {
        return messages.get();
    }

    /** Takes the connection over which it reads. */
    final void reads(ItchClient connection) {
        client = connection;
    }

    /** Returns the connection over which it reads; null before, and if it receives datagrams. Any thread. */
    final @Nullable ItchClient client() {
        return client;
    }

    /** Returns how its session ended; null while it lasts. Any thread. */
    ItchClient.@Nullable End end() {
        ItchClient open = client;
        return open == null || !open.ended().isDone()
                ? null
                : open.ended()
                        .exceptionally(failure -> ItchClient.End.DISCONNECTED)
                        .join();
    }

    @Override
    public void onEvent(OrderEvent event, long timeNs) {
        throw new IllegalStateException("a customer of best prices reads no orders");
    }
}
