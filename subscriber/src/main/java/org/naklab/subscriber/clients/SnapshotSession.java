package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends one snapshot of all books, as GLIMPSE does: its last message has the sequence from which on the client reads the messages of the
 * session. Those who ask within a second share a snapshot. A client that has not taken it when the store has dropped what follows it is
 * disconnected: it could not go on from it.
 */
final class SnapshotSession extends SoupSession {
    private static final int CHUNK_BYTES = 64 << 10;

    private final SnapshotSource source;
    private final MessageStore store;
    private long follows;
    private @Nullable ByteBuf packets;

    SnapshotSession(Sessions sessions, SnapshotSource source, MessageStore store) {
        super(sessions);
        this.source = source;
        this.store = store;
    }

    @Override
    long logIn(long sequence) {
        if (sequence > 1) {
            return -1;
        }
        ServedBooks.Snapshot snapshot = source.snapshot();
        packets = snapshot.packets().duplicate();
        follows = snapshot.nextSequence();
        return 1;
    }

    @Override
    void pump() {
        ByteBuf rest = packets;
        if (rest == null) {
            return;
        }
        if (follows < store.oldestSequence()) {
            packets = null;
            sessions().disconnected.incrementAndGet();
            drop();
            return;
        }
        while (rest.isReadable() && isWritable()) {
            send(rest.readRetainedSlice(Math.min(CHUNK_BYTES, rest.readableBytes())));
        }
        if (!rest.isReadable()) {
            end();
        }
    }
}
