package org.naklab.journaler.derived;

/** An instrument's best bid and offer; reused from event to event. */
final class TopOfBook {
    private boolean hasBid;
    private boolean hasAsk;
    private long bidPrice;
    private long bidQuantity;
    private long askPrice;
    private long askQuantity;

    /**
     * Takes over what the book shows.
     *
     * @return whether anything is different from the last time; an empty book is not different from the beginning
     */
    boolean update(BookView books, int instrumentId) {
        boolean isDifferent = updateBid(books, instrumentId);
        return updateAsk(books, instrumentId) || isDifferent;
    }

    boolean hasBid() {
        return hasBid;
    }

    boolean hasAsk() {
        return hasAsk;
    }

    /** 0 without a bid, as are the others without their side. */
    long bidPrice() {
        return bidPrice;
    }

    long bidQuantity() {
        return bidQuantity;
    }

    long askPrice() {
        return askPrice;
    }

    long askQuantity() {
        return askQuantity;
    }

    private boolean updateBid(BookView books, int instrumentId) {
        boolean has = books.hasBid(instrumentId);
        long price = has ? books.bestBidPrice(instrumentId) : 0;
        long quantity = has ? books.bestBidQuantity(instrumentId) : 0;
        boolean isDifferent = has != hasBid || price != bidPrice || quantity != bidQuantity;
        hasBid = has;
        bidPrice = price;
        bidQuantity = quantity;
        return isDifferent;
    }

    private boolean updateAsk(BookView books, int instrumentId) {
        boolean has = books.hasAsk(instrumentId);
        long price = has ? books.bestAskPrice(instrumentId) : 0;
        long quantity = has ? books.bestAskQuantity(instrumentId) : 0;
        boolean isDifferent = has != hasAsk || price != askPrice || quantity != askQuantity;
        hasAsk = has;
        askPrice = price;
        askQuantity = quantity;
        return isDifferent;
    }
}
