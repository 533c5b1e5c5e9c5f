package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends one snapshot of all books, as GLIMPSE does: its last message has the sequence from which on the client reads the messages of the
 * session. A client that does not read keeps one snapshot in memory; those who ask within a second share it.
 */
final class SnapshotSession extends SoupSession {
    private static final int CHUNK_BYTES = 64 << 10;

    private final SnapshotSource source;
    private @Nullable ByteBuf packets;

    SnapshotSession(Sessions sessions, SnapshotSource source) {
        super(sessions);
        this.source = source;
    }

    @Override
    long logIn(long sequence) {
        if (sequence > 1) {
            return -1;
        }
        packets = source.snapshot().packets().duplicate();
        return 1;
    }

    @Override
    void pump() {
        ByteBuf rest = packets;
        if (rest == null) {
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
