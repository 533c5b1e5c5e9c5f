package org.naklab.lab.replica.customers;

import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.clients.ItchClient;
import org.naklab.subscriber.clients.MoldClient;
import org.naklab.subscriber.itch.BookState;

/** Reads order by order, and keeps order books of its own. */
class OrderCustomer extends Customer {
    private final ClientLatency latency;
    private OrderBooks books = new OrderBooks();
    private @Nullable MoldClient datagrams;
    private boolean isInSnapshot;
    private volatile boolean mayRejoin;
    private int rejoined;

    OrderCustomer(ClientLatency latency) {
        this.latency = latency;
    }

    /** Begins with a snapshot: its orders say nothing of a latency. */
    final void beginWithSnapshot() {
        isInSnapshot = true;
        books = new OrderBooks();
    }

    /** A customer that read slowly finds out that it was disconnected when it has read what its connection still holds. */
    final void mayRejoin(boolean isAllowed) {
        mayRejoin = isAllowed;
    }

    /** Begins again with a snapshot after it was disconnected. */
    final void rejoin() {
        rejoined++;
        mayRejoin = false;
        beginWithSnapshot();
    }

    final int rejoined() {
        return rejoined;
    }

    /** Takes the receiver of datagrams that it reads. */
    final void receives(MoldClient receiver) {
        datagrams = receiver;
    }

    @Nullable
    final MoldClient datagrams() {
        return datagrams;
    }

    final OrderBooks books() {
        return books;
    }

    final long digest() {
        return BooksDigest.of(books);
    }

    final ClientLatency latency() {
        return latency;
    }

    @Override
    final ItchClient.@Nullable End end() {
        MoldClient receiver = datagrams;
        if (receiver == null) {
            ItchClient.End end = super.end();
            return end == ItchClient.End.DISCONNECTED && mayRejoin ? null : end;
        }
        return !receiver.ended().isDone()
                ? null
                : receiver.ended().isCompletedExceptionally()
                        ? ItchClient.End.DISCONNECTED
                        : ItchClient.End.SESSION_ENDED;
    }

    @Override
    public final void onEvent(OrderEvent event, long timeNs) {
        books.apply(event);
        if (!isInSnapshot) {
            count();
            long nowNs = System.nanoTime();
            onLive(event, latency.onOrder(timeNs, nowNs), nowNs);
        }
    }

    /** Takes an event that is not of a snapshot, after it was applied to the books. */
    void onLive(OrderEvent event, long dueNs, long nowNs) {}

    @Override
    public void onState(int instrumentId, BookState state, long sequence, long timeNs) {}

    @Override
    public final void onSnapshotEnd(long nextSequence) {
        isInSnapshot = false;
    }
}
