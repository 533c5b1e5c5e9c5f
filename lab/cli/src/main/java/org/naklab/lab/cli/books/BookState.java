package org.naklab.lab.cli.books;

import java.util.List;
import org.naklab.exchange.lobster.BookLevel;

/**
 * A book after an event.
 *
 * @param events how many it was made of
 * @param timeNs of the last one, after midnight
 * @param asks the best price first
 * @param bids the best price first
 */
public record BookState(long events, long timeNs, List<BookLevel> asks, List<BookLevel> bids) {
    public BookState {
        asks = List.copyOf(asks);
        bids = List.copyOf(bids);
    }
}
