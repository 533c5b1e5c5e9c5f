package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Sends every message, order by order. A client that does not keep up is told when half of the store lies before it, and disconnected
 * when the store has dropped what it needs next: it is never sent a book with a hole. It can log in again with a snapshot.
 *
 * <p>Its memory is bounded: the channel holds up to one segment above its upper water mark.
 */
final class OrderSession extends SoupSession {
    private final MessageStore store;
    private final FeedPublisher publisher;
    private MessageStore.@Nullable Cursor cursor;
    private boolean isWarned;

    OrderSession(Sessions sessions, MessageStore store, FeedPublisher publisher) {
        super(sessions);
        this.store = store;
        this.publisher = publisher;
    }

    @Override
    long logIn(long sequence) {
        long first = sequence == 0 ? store.nextSequence() : sequence;
        cursor = store.cursorAt(first);
        return cursor == null ? -1 : first;
    }

    @Override
    void pump() {
        MessageStore.Cursor place = cursor;
        if (place == null) {
            return;
        }
        if (place.isLost()) {
            sessions().disconnected.incrementAndGet();
            drop();
            return;
        }
        warn(place);
        boolean hasEnded = publisher.hasEnded();
        int available = place.available();
        while (available > 0 && isWritable()) {
            ByteBuf packets = Unpooled.wrappedBuffer(place.bytes(), place.position(), available);
            // Before it is sent: a channel that becomes writable within the call asks for more.
            place.advance(available);
            send(packets);
            available = place.available();
        }
        // After its end the feed drops nothing more: what is not lost now was read to the end.
        if (hasEnded && available == 0 && !place.isLost()) {
            end();
        }
    }

    private void warn(MessageStore.Cursor place) {
        long lag = place.lagBytes();
        if (!isWarned && lag > place.limitBytes() / 2) {
            isWarned = true;
            sessions().warned.incrementAndGet();
            send(
                    SoupPacket.DEBUG,
                    "slow reader: " + (lag >> 10) + " KiB to read, disconnected at " + (place.limitBytes() >> 10)
                            + " KiB");
        } else if (isWarned && lag < place.limitBytes() / 4) {
            isWarned = false;
        }
    }
}
