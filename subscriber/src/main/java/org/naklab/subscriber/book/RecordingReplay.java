package org.naklab.subscriber.book;

import java.util.Objects;
import org.naklab.messaging.OrderEvent;
import org.naklab.messaging.Side;

/**
 * Rebuilds books from a recording that covers the best levels only, as LOBSTER's files do, and from the levels after its
 * first event.
 *
 * <p>Such a recording leaves out what happens beyond its levels: an order added there shows up only when it trades or is
 * withdrawn within them. A book driven forwards alone cannot show it before. Therefore the recording is read twice: first each
 * event is {@link #scout scouted}, to learn which orders leave without having come and how much they held; then each is
 * {@link #replay replayed}, and such an order is put in place as soon as its price is out of the recording's sight.
 *
 * <p>The initial levels are {@link #seed seeded} before either.
 */
public final class RecordingReplay {
    private final OrderBooks books = new OrderBooks();
    private final UnseenOrders unseen = new UnseenOrders();
    private boolean replaying;

    /** The books as of the last event replayed. */
    public OrderBooks books() {
        return books;
    }

    /** Gives one level of the book after the recording's first event. */
    public void seed(int instrumentId, Side side, long price, long quantity) {
        books.seed(instrumentId, side, price, quantity);
        unseen.seed(instrumentId, side, price, quantity);
    }

    /**
     * First reading: learns from one event, in the recording's order.
     *
     * @throws IllegalStateException when the second reading has begun
     */
    public void scout(OrderEvent event) {
        if (replaying) {
            throw new IllegalStateException("the recording is being replayed already");
        }
        unseen.scout(Objects.requireNonNull(event));
    }

    /** Second reading: applies one event, in the recording's order. The first is contained in the initial levels. */
    public void replay(OrderEvent event) {
        if (replaying) {
            books.apply(event);
        } else {
            unseen.endScouting();
            books.adopt(event);
            replaying = true;
        }
        unseen.placeHidden(books, event.instrumentId);
    }
}
