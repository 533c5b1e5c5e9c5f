package org.naklab.subscriber;

import org.agrona.concurrent.NanoClock;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Measures how long books were suspect. When an event of the feed has not come, it may be one of any book, and it is not applied if it
 * comes later: every book is suspect from then on, also one that is opened later, until the feed ends. Costs nothing while no event is
 * missing. Of the business thread.
 */
final class SuspectBooks implements AppliedEventListener {
    private final OrderBooks books;
    private final ServiceCounters counters;
    private final NanoClock clock;
    private long since;
    private long bookNs;
    private long measuredNs;
    private boolean hasEnded;

    SuspectBooks(OrderBooks books, ServiceCounters counters, NanoClock clock) {
        this.books = books;
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public void onGap(long firstSequence, long lastSequence) {
        if (since == 0) {
            since = firstSequence;
            measuredNs = clock.nanoTime();
        }
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
    }

    /** Counts the time since the last measurement for each book that there is. */
    private void measure() {
        if (since > 0 && !hasEnded) {
            long nowNs = clock.nanoTime();
            bookNs += (nowNs - measuredNs) * books.size();
            measuredNs = nowNs;
        }
    }
}
