package org.naklab.journaler;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.naklab.journaler.derived.BookView;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Books of price levels, plain enough to see that they are right. */
public final class TreeBooks implements BookView {
    private final Map<Integer, NavigableMap<Long, Long>> bids = new HashMap<>();
    private final Map<Integer, NavigableMap<Long, Long>> asks = new HashMap<>();

    @Override
    public void apply(OrderEvent event) {
        switch (event.type) {
            case ADD -> change(event, event.quantity);
            case CANCEL_PART, DELETE, EXECUTE -> change(event, -event.quantity);
            case HIDDEN_TRADE, HALT, RESUME -> {
                // The book stays as it is.
            }
        }
    }

    @Override
    public boolean hasBid(int instrumentId) {
        return !bids(instrumentId).isEmpty();
    }

    @Override
    public boolean hasAsk(int instrumentId) {
        return !asks(instrumentId).isEmpty();
    }

    @Override
    public long bestBidPrice(int instrumentId) {
        return bids(instrumentId).firstKey();
    }

    @Override
    public long bestBidQuantity(int instrumentId) {
        return bids(instrumentId).firstEntry().getValue();
    }

    @Override
    public long bestAskPrice(int instrumentId) {
        return asks(instrumentId).firstKey();
    }

    @Override
    public long bestAskQuantity(int instrumentId) {
        return asks(instrumentId).firstEntry().getValue();
    }

    private void change(OrderEvent event, long quantity) {
        NavigableMap<Long, Long> levels = event.side == Side.BUY ? bids(event.instrumentId) : asks(event.instrumentId);
        levels.merge(event.price, quantity, Long::sum);
        levels.values().removeIf(rested -> rested == 0);
    }

    private NavigableMap<Long, Long> bids(int instrumentId) {
        return bids.computeIfAbsent(instrumentId, id -> new TreeMap<>(Comparator.reverseOrder()));
    }

    private NavigableMap<Long, Long> asks(int instrumentId) {
        return asks.computeIfAbsent(instrumentId, id -> new TreeMap<>());
    }
}
