package org.naklab.journaler.derived;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Builds one row of CSV by RFC 4180: fields parted by commas, quoted where they must be, CRLF at the end. It allocates nothing
 * per row: in the service's process the collector would halt the context thread for the garbage of a CSV library.
 */
final class CsvRow {
    private static final int MAX_BYTES = 4096;
    private static final int MAX_NUMBER_BYTES = 24;
    private static final int PRICE_SCALE = 10_000;
    private static final int PRICE_DIGITS = 4;

    private final byte[] bytes = new byte[MAX_BYTES];
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    private int length;
    private boolean hasField;

    /** Starts over. */
    CsvRow clear() {
        length = 0;
        hasField = false;
        return this;
    }

    CsvRow number(long value) {
        separate(MAX_NUMBER_BYTES);
        length += buffer.putLongAscii(length, value);
        return this;
    }

    /** A price in currency units, with four decimals. */
    CsvRow price(long price) {
        separate(MAX_NUMBER_BYTES);
        if (price < 0) {
            put('-');
        }
        length += buffer.putLongAscii(length, Math.abs(price / PRICE_SCALE));
        put('.');
        int fraction = (int) Math.abs(price % PRICE_SCALE);
        buffer.putNaturalPaddedIntAscii(length, PRICE_DIGITS, fraction);
        length += PRICE_DIGITS;
        return this;
    }

    CsvRow empty() {
        separate(0);
        return this;
    }

    CsvRow text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return ascii(utf8);
    }

    /** Text that is encoded already; quoted when it holds a comma, a quote or a line break. */
    CsvRow ascii(byte[] utf8) {
        separate(2 * utf8.length + 2);
        if (!mustQuote(utf8)) {
            buffer.putBytes(length, utf8);
            length += utf8.length;
            return this;
        }
        put('"');
        for (byte b : utf8) {
            if (b == '"') {
                put('"');
            }
            put(b);
        }
        put('"');
        return this;
    }

    /** Ends the row. */
    CsvRow end() {
        require(2);
        put('\r');
        put('\n');
        return this;
    }

    /** The row's bytes, the first {@link #length()} of them; valid until {@link #clear()}. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    private void separate(int fieldBytes) {
        require(fieldBytes + 1);
        if (hasField) {
            put(',');
        }
        hasField = true;
    }

    private void require(int moreBytes) {
        if (length + moreBytes > MAX_BYTES) {
            throw new IllegalStateException("a CSV row is longer than " + MAX_BYTES + " bytes");
        }
    }

    private void put(int character) {
        bytes[length++] = (byte) character;
    }

    private static boolean mustQuote(byte[] text) {
        for (byte b : text) {
            if (b == ',' || b == '"' || b == '\r' || b == '\n') {
                return true;
            }
        }
        return false;
    }
}
