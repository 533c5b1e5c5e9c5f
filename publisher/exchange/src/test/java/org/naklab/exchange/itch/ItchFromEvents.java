package org.naklab.exchange.itch;

import java.util.ArrayList;
import java.util.List;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** Writes order flow as ITCH 5.0, using each of the message types that matter to the book. */
final class ItchFromEvents {
    private final ItchBytes bytes = new ItchBytes();
    private final List<Integer> ends = new ArrayList<>();

    static String stock(int instrumentId) {
        return "SYN" + instrumentId;
    }

    /** The files' bytes after {@link #write}. */
    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    /** Where each message ends. */
    List<Integer> ends() {
        return ends;
    }

    void writeDirectory(int instruments) {
        for (int instrument = 1; instrument <= instruments; instrument++) {
            bytes.directory(instrument, stock(instrument));
            ends.add(bytes.size());
        }
    }

    void write(List<OrderEvent> events) {
        for (int i = 0; i < events.size(); i++) {
            OrderEvent event = events.get(i);
            boolean isReplace = i + 1 < events.size() && isReplace(event, events.get(i + 1));
            if (isReplace) {
                OrderEvent added = events.get(++i);
                bytes.replace(
                        event.instrumentId,
                        event.exchangeTimestampNs,
                        event.orderId,
                        added.orderId,
                        added.quantity,
                        added.price);
            } else {
                write(event, i);
            }
            ends.add(bytes.size());
        }
    }

    private static boolean isReplace(OrderEvent first, OrderEvent second) {
        return first.type == EventType.DELETE
                && second.type == EventType.ADD
                && first.instrumentId == second.instrumentId
                && first.side == second.side
                && first.exchangeTimestampNs == second.exchangeTimestampNs;
    }

    private void write(OrderEvent event, int index) {
        int locate = event.instrumentId;
        long timeNs = event.exchangeTimestampNs;
        char side = event.side == Side.BUY ? 'B' : 'S';
        boolean isEven = index % 2 == 0;
        switch (event.type) {
            case ADD ->
                bytes.add(
                        isEven ? 'A' : 'F',
                        locate,
                        timeNs,
                        event.orderId,
                        side,
                        event.quantity,
                        stock(locate),
                        event.price);
            case EXECUTE -> {
                if (isEven) {
                    bytes.execute(locate, timeNs, event.orderId, event.quantity);
                } else {
                    bytes.executeAt(locate, timeNs, event.orderId, event.quantity, event.price);
                }
            }
            case CANCEL_PART -> bytes.cancel(locate, timeNs, event.orderId, event.quantity);
            case DELETE -> bytes.delete(locate, timeNs, event.orderId);
            case HIDDEN_TRADE -> bytes.trade(locate, timeNs, side, event.quantity, stock(locate), event.price);
            case HALT -> bytes.tradingAction(locate, timeNs, stock(locate), 'H');
            case RESUME -> bytes.tradingAction(locate, timeNs, stock(locate), 'T');
        }
    }
}
