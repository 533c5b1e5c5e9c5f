package org.naklab.subscriber.book;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** A recording in LOBSTER's format, read the plainest way; the columns are in ../shared/data/README.md. */
record Recording(List<OrderEvent> events, List<long[]> rows) {
    static final int INSTRUMENT = 1;

    static Recording parse(List<String> messages, List<String> books) {
        List<OrderEvent> events = new ArrayList<>();
        for (String line : messages) {
            String[] columns = line.split(",", -1);
            events.add(new OrderEvent()
                    .set(
                            type(Integer.parseInt(columns[1])),
                            INSTRUMENT,
                            0,
                            Long.parseLong(columns[2]),
                            Integer.parseInt(columns[5]) == 1 ? Side.BUY : Side.SELL,
                            Long.parseLong(columns[4]),
                            Integer.parseInt(columns[3])));
        }
        List<long[]> rows = books.stream()
                .map(line -> Arrays.stream(line.split(",", -1))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
        return new Recording(events, rows);
    }

    private static EventType type(int code) {
        return switch (code) {
            case 1 -> EventType.ADD;
            case 2 -> EventType.CANCEL_PART;
            case 3 -> EventType.DELETE;
            case 4 -> EventType.EXECUTE;
            case 5 -> EventType.HIDDEN_TRADE;
            default -> throw new IllegalArgumentException("type " + code);
        };
    }

    @FunctionalInterface
    interface Seeding {
        void seed(int instrumentId, Side side, long price, long quantity);
    }

    void seedFirstRow(Seeding seeding) {
        long[] row = rows.get(0);
        for (int i = 0; i < row.length; i += 4) {
            if (row[i + 1] > 0) {
                seeding.seed(INSTRUMENT, Side.SELL, row[i], row[i + 1]);
            }
            if (row[i + 3] > 0) {
                seeding.seed(INSTRUMENT, Side.BUY, row[i + 2], row[i + 3]);
            }
        }
    }

    /** Whether the best bid and offer, price and quantity, are those after an event. */
    boolean topIs(int index, OrderBooks books) {
        long[] row = rows.get(index);
        return books.bestAskPrice(INSTRUMENT) == row[0]
                && books.bestAskQuantity(INSTRUMENT) == row[1]
                && books.bestBidPrice(INSTRUMENT) == row[2]
                && books.bestBidQuantity(INSTRUMENT) == row[3];
    }
}
