package org.naklab.subscriber.itch;

/**
 * The best bid and offer of an instrument. A side without orders has price and quantity 0.
 *
 * @param timeNs of the event that made it, ns after midnight
 * @param version counts the changes of the instrument's best prices, from 1
 */
public record Quote(
        int instrumentId, long timeNs, long version, long bidPrice, long bidQuantity, long askPrice, long askQuantity) {
    /** Returns whether prices and quantities are the same. */
    public boolean isSamePrice(Quote other) {
        return bidPrice == other.bidPrice
                && bidQuantity == other.bidQuantity
                && askPrice == other.askPrice
                && askQuantity == other.askQuantity;
    }
}
