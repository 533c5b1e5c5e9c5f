package org.naklab.journaler.derived;

import java.nio.file.Path;
import org.agrona.collections.Int2ObjectHashMap;
import org.naklab.messaging.feed.OrderEvent;

/** A CSV row for each event that changes an instrument's best bid or offer, its price or its quantity. */
public final class TopOfBookCsv implements DerivedSink {
    private static final String[] COLUMNS = {
        "sequence",
        "receive_timestamp_ns",
        "exchange_timestamp_ns",
        "instrument_id",
        "bid_price",
        "bid_quantity",
        "ask_price",
        "ask_quantity"
    };

    private final Int2ObjectHashMap<TopOfBook> lastByInstrument = new Int2ObjectHashMap<>();
    private final CsvRow row = new CsvRow();
    private final RollingFile file;

    public TopOfBookCsv(Path directory, RollPolicy policy) {
        file = new RollingFile(directory, "top-of-book", "csv", CsvHeader.of(COLUMNS), policy);
    }

    @Override
    public void onEvent(OrderEvent event, long receiveTimestampNs, BookView books) {
        TopOfBook top = lastByInstrument.get(event.instrumentId);
        if (top == null) {
            top = new TopOfBook();
            lastByInstrument.put(event.instrumentId, top);
        }
        if (!top.update(books, event.instrumentId)) {
            return;
        }
        row.clear()
                .number(event.sequence)
                .number(receiveTimestampNs)
                .number(event.exchangeTimestampNs)
                .number(event.instrumentId);
        level(top.hasBid(), top.bidPrice(), top.bidQuantity());
        level(top.hasAsk(), top.askPrice(), top.askQuantity());
        row.end();
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

    private void level(boolean exists, long price, long quantity) {
        if (exists) {
            row.price(price).number(quantity);
        } else {
            row.empty().empty();
        }
    }
}
