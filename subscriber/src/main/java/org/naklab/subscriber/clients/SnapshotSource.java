package org.naklab.subscriber.clients;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes a snapshot at most once a second, however many ask, as long as the store has what follows it. */
final class SnapshotSource {
    private static final long SHARED_NS = TimeUnit.SECONDS.toNanos(1);

    private final ServedBooks books;
    private final MessageStore store;
    private ServedBooks.@Nullable Snapshot latest;
    private long madeNs;

    SnapshotSource(ServedBooks books, MessageStore store) {
        this.books = books;
        this.store = store;
    }

    ServedBooks.Snapshot snapshot() {
        long nowNs = System.nanoTime();
        ServedBooks.Snapshot snapshot = latest;
        if (snapshot == null || nowNs - madeNs > SHARED_NS || snapshot.nextSequence() < store.oldestSequence()) {
            snapshot = books.snapshot();
            latest = snapshot;
            madeNs = nowNs;
        }
        return snapshot;
    }
}
