package org.naklab.lab.replica.quotes;

import org.naklab.subscriber.book.OrderBooks;

/**
 * The best prices of an instrument, in units of the currency times 10,000.
 *
 * @param bid {@link #NONE} without a buy order
 * @param ask {@link #NONE} without a sell order
 */
record Quote(long bid, long ask) {
    static final long NONE = Long.MIN_VALUE;
    static final Quote EMPTY = new Quote(NONE, NONE);

    static Quote of(OrderBooks books, int instrumentId) {
        return new Quote(
                books.hasBid(instrumentId) ? books.bestBidPrice(instrumentId) : NONE,
                books.hasAsk(instrumentId) ? books.bestAskPrice(instrumentId) : NONE);
    }

    /** Returns the larger difference of the two sides; a side that one of the quotes has not does not count. */
    long difference(Quote other) {
        return Math.max(difference(bid, other.bid), difference(ask, other.ask));
    }

    private static long difference(long one, long other) {
        return one == NONE || other == NONE ? 0 : Math.abs(one - other);
    }
}
