package org.naklab.lab.cli.books;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;

/**
 * Writes a book as a row of LOBSTER's order book file: {@code ask_price,ask_size,bid_price,bid_size} for each level, best
 * first; where a side has fewer levels, price 9999999999 (ask) or -9999999999 (bid) and size 0. Buffered.
 */
public final class BookRows {
    private static final long NO_LEVEL = 9_999_999_999L;
    private static final int BUFFER_BYTES = 1 << 16;
    /** A level's four longs with sign and separator each. */
    private static final int MAX_LEVEL_BYTES = 4 * 21;

    private final OutputStream out;
    private final byte[] buffer;
    private final byte[] digits = new byte[20];
    private final Levels asks;
    private final Levels bids;
    private int position;

    public BookRows(OutputStream out, int levels) {
        this.out = out;
        buffer = new byte[BUFFER_BYTES + levels * MAX_LEVEL_BYTES];
        asks = new Levels(levels, NO_LEVEL);
        bids = new Levels(levels, -NO_LEVEL);
    }

    /**
     * Writes one row.
     *
     * @param book {@code null}: one without a level
     */
    public void write(@Nullable OrderBook book) throws IOException {
        asks.take(book, Side.SELL);
        bids.take(book, Side.BUY);
        for (int i = 0; i < asks.prices.length; i++) {
            put(asks.prices[i], ',');
            put(asks.quantities[i], ',');
            put(bids.prices[i], ',');
            put(bids.quantities[i], i + 1 < asks.prices.length ? ',' : '\n');
        }
        if (position >= BUFFER_BYTES) {
            flush();
        }
    }

    public void flush() throws IOException {
        out.write(buffer, 0, position);
        out.flush();
        position = 0;
    }

    private void put(long value, char separator) {
        if (value == Long.MIN_VALUE) {
            byte[] text = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(text, 0, buffer, position, text.length);
            position += text.length;
        } else {
            putDigits(value);
        }
        buffer[position++] = (byte) separator;
    }

    private void putDigits(long value) {
        if (value < 0) {
            buffer[position++] = '-';
        }
        int count = 0;
        long rest = Math.abs(value);
        do {
            digits[count++] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        while (count > 0) {
            buffer[position++] = digits[--count];
        }
    }

    /** The levels of one side, copied from the book. */
    private static final class Levels {
        private final long[] prices;
        private final long[] quantities;
        private final long noPrice;
        private int taken;

        Levels(int count, long noPrice) {
            prices = new long[count];
            quantities = new long[count];
            this.noPrice = noPrice;
        }

        void take(@Nullable OrderBook book, Side side) {
            taken = 0;
            if (book != null) {
                book.copyLevels(side, prices.length, this::onLevel);
            }
            for (int i = taken; i < prices.length; i++) {
                prices[i] = noPrice;
                quantities[i] = 0;
            }
        }

        private void onLevel(long price, long quantity, int orders) {
            prices[taken] = price;
            quantities[taken++] = quantity;
        }
    }
}
