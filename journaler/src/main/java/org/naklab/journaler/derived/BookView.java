package org.naklab.journaler.derived;

import org.naklab.messaging.feed.OrderEvent;

/**
 * Order books as far as the derived files need them: they are driven by each event of the journal and asked for the best
 * levels after it. A seam, so that this module needs no books of its own. Prices are currency units times 10,000.
 */
public interface BookView {
    /** Takes in the next event; events come in feed order. */
    void apply(OrderEvent event);

    /** Returns whether a buy order rests. */
    boolean hasBid(int instrumentId);

    /** Returns whether a sell order rests. */
    boolean hasAsk(int instrumentId);

    /** The highest price bid; meaningless unless {@link #hasBid}. */
    long bestBidPrice(int instrumentId);

    /** Returns what rests at the highest price bid, all orders together; 0 unless {@link #hasBid}. */
    long bestBidQuantity(int instrumentId);

    /** The lowest price asked; meaningless unless {@link #hasAsk}. */
    long bestAskPrice(int instrumentId);

    /** Returns what rests at the lowest price asked, all orders together; 0 unless {@link #hasAsk}. */
    long bestAskQuantity(int instrumentId);
}
