package org.naklab.lab.core.books;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order book of an instrument as a customer of a process had it at a time, or as the latest snapshot of the service shows it. Prices are in units of the currency times 10,000.
 *
 * @param atNs when it was looked at, CLOCK_MONOTONIC
 * @param process that the customer gets it from: the market data service, a gateway, or the exchange itself; {@link #SNAPSHOTS}: a snapshot
 * @param ageNs how long ago the latest event that the customer has, of any instrument, was due at the exchange; -1 before the first; of a snapshot, how long ago it came
 * @param suspectSince sequence of the first missing event of the feed; 0 unless the book is suspect
 * @param bids the best buy orders, the highest price first
 * @param asks the best sell orders, the lowest price first
 * @param trade the latest trade; {@code null}: there was none
 */
public record BookView(
        long atNs,
        String process,
        int instrument,
        Validity validity,
        long suspectSince,
        long ageNs,
        List<Level> bids,
        List<Level> asks,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Trade trade) {
    /** In place of a process: the latest snapshots that the first gateway has of the service. */
    public static final String SNAPSHOTS = "snapshots";

    /** Tells how far a book can be trusted. */
    public enum Validity {
        /** Every event up to the latest one is in the book. */
        VALID,
        /** An event of the feed has not come, and it may be one of this book. */
        SUSPECT,
        /** The book is being filled with a snapshot, or nothing has come yet. */
        REBUILDING
    }

    /** The orders of one price. */
    public record Level(long price, long quantity, int orders) {}

    /**
     * A trade.
     *
     * @param atNs when it was due at the exchange, CLOCK_MONOTONIC
     */
    public record Trade(long atNs, long price, long quantity) {}

    public BookView {
        bids = List.copyOf(bids);
        asks = List.copyOf(asks);
    }
}
