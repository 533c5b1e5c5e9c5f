package org.naklab.journaler.derived;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;

/** A CSV row for each trade, against a resting order or against liquidity that the book does not show. */
public final class TradesCsv implements DerivedSink {
    private static final String[] COLUMNS = {
        "sequence",
        "receive_timestamp_ns",
        "exchange_timestamp_ns",
        "instrument_id",
        "price",
        "quantity",
        "resting_side",
        "order_id",
        "liquidity"
    };

    private static final byte[] BUY = ascii("BUY");
    private static final byte[] SELL = ascii("SELL");
    private static final byte[] VISIBLE = ascii("VISIBLE");
    private static final byte[] HIDDEN = ascii("HIDDEN");

    private final CsvRow row = new CsvRow();
    private final RollingFile file;

    public TradesCsv(Path directory, RollPolicy policy) {
        file = new RollingFile(directory, "trades", "csv", CsvHeader.of(COLUMNS), policy);
    }

    @Override
    public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
        if (event.type != EventType.EXECUTE && event.type != EventType.HIDDEN_TRADE) {
            return;
        }
        row.clear()
                .number(event.sequence)
                .number(receiveTimestampNs)
                .number(event.exchangeTimestampNs)
                .number(event.instrumentId)
                .price(event.price)
                .number(event.quantity)
                .ascii(event.side == Side.BUY ? BUY : SELL)
                .number(event.orderId)
                .ascii(event.type == EventType.EXECUTE ? VISIBLE : HIDDEN)
                .end();
        file.append(receiveTimestampNs, row.bytes(), row.length());
    }

    /** Rows written, headers not among them. */
    public long rows() {
        return file.records();
    }

    /** Files begun. */
    public int files() {
        return file.files();
    }

    @Override
    public void flush() {
        file.flush();
    }

    @Override
    public void close() {
        file.close();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
