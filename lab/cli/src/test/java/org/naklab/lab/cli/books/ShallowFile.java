package org.naklab.lab.cli.books;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

/**
 * A pair of LOBSTER files made from synthetic flow, which tell only of events within so many levels of a book that is deeper,
 * and begin when it already is.
 */
record ShallowFile(Path messages, Path orderBook) {
    private static final int RESTING_ORDERS = 120;
    private static final int WARM_UP_EVENTS = 5_000;
    private static final double NS_PER_SECOND = 1e9;

    static ShallowFile write(Path directory, long seed, int depth, int events) throws IOException {
        ShallowFile file = new ShallowFile(directory.resolve("shallow.csv"), directory.resolve("shallow-book.csv"));
        SyntheticFlow flow = new SyntheticFlow(
                new SyntheticFlow.Config(seed, 1).withEvents(events).withRestingOrders(RESTING_ORDERS));
        OrderBooks books = new OrderBooks();
        OrderEvent event = new OrderEvent();
        try (flow;
                Writer messages = Files.newBufferedWriter(file.messages);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(file.orderBook))) {
            BookRows rows = new BookRows(out, depth);
            for (long index = 1; flow.next(event); index++) {
                boolean wasSeen = isSeen(books.book(1), event, depth);
                books.apply(event);
                boolean isToldOf =
                        event.type == EventType.HIDDEN_TRADE || wasSeen || isSeen(books.book(1), event, depth);
                boolean isStatus = event.type == EventType.HALT || event.type == EventType.RESUME;
                if (index > WARM_UP_EVENTS && isToldOf && !isStatus) {
                    messages.write(row(event));
                    rows.write(books.book(1));
                }
            }
            rows.flush();
        }
        return file;
    }

    private static boolean isSeen(@Nullable OrderBook book, OrderEvent event, int depth) {
        boolean[] seen = new boolean[1];
        if (book != null) {
            book.copyLevels(event.side, depth, (price, quantity, orders) -> seen[0] |= price == event.price);
        }
        return seen[0];
    }

    private static String row(OrderEvent event) {
        int type =
                switch (event.type) {
                    case ADD -> 1;
                    case CANCEL_PART -> 2;
                    case DELETE -> 3;
                    case EXECUTE -> 4;
                    case HIDDEN_TRADE, HALT, RESUME -> 5;
                };
        return String.format(
                Locale.ROOT,
                "%.9f,%d,%d,%d,%d,%d%n",
                event.exchangeTimestampNs / NS_PER_SECOND,
                type,
                event.orderId,
                event.quantity,
                event.price,
                event.side == Side.BUY ? 1 : -1);
    }
}
