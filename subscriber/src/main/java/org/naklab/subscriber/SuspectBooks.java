package org.naklab.subscriber;

import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Knows which books are suspect, and measures for how long. When an event of the feed has not come, it may be one of any book, and it is not applied if it comes later: every
 * book is suspect from then on, also one that is opened later, until a snapshot of the service confirms it ({@link SnapshotCheck}) or the feed ends. Costs nothing while no
 * event is missing. Of the business thread.
 */
final class SuspectBooks implements AppliedEventListener {
    private final OrderBooks books;
    private final ServiceCounters counters;
    private final NanoClock clock;
    private final @Nullable SnapshotCheck check;
    private final AppliedEventListener listener;
    /** Instruments whose books were confirmed since the latest missing event. */
    private final IntHashSet confirmed = new IntHashSet();

    private long since;
    private long lastMissing;
    private long bookNs;
    private long measuredNs;
    private boolean hasEnded;

    /**
     * Begins without a suspect book.
     *
     * @param check {@code null}: nothing confirms a book
     * @param listener is told of each book that is confirmed
     */
    SuspectBooks(
            OrderBooks books,
            ServiceCounters counters,
            NanoClock clock,
            @Nullable SnapshotCheck check,
            AppliedEventListener listener) {
        this.books = books;
        this.counters = counters;
        this.clock = clock;
        this.check = check;
        this.listener = listener;
    }

    @Override
    public void onGap(long firstSequence, long lastSequence) {
        measure();
        if (since == 0) {
            since = firstSequence;
            measuredNs = clock.nanoTime();
        }
        lastMissing = lastSequence;
        confirmed.clear();
        if (check != null) {
            check.want(true);
        }
    }

    /** Takes note of an event that was applied. */
    void onApplied(int instrumentId, long sequence) {
        if (since > 0 && check != null) {
            check.onApplied(instrumentId, sequence);
        }
    }

    /**
     * Compares suspect books with the snapshots that have come.
     *
     * @return the number of books that are valid again
     */
    int confirm(long appliedSequence) {
        if (check == null || since == 0 || hasEnded || !check.hasSnapshots()) {
            return 0;
        }
        int before = confirmed.size();
        measure();
        check.compare(books, lastMissing, appliedSequence, instrument -> {
            if (confirmed.add(instrument)) {
                listener.onConfirmed(instrument);
            }
        });
        return confirmed.size() - before;
    }

    @Override
    public void onBatchEnd() {
        measure();
        counters.suspectSince.lazySet(since);
        counters.suspectBookNs.lazySet(bookNs);
    }

    @Override
    public void onEnd() {
        measure();
        hasEnded = true;
        if (check != null) {
            check.want(false);
        }
    }

    /** Counts the time since the last measurement for each suspect book. */
    private void measure() {
        if (since > 0 && !hasEnded) {
            long nowNs = clock.nanoTime();
            bookNs += (nowNs - measuredNs) * (books.size() - confirmed.size());
            measuredNs = nowNs;
        }
    }
}
