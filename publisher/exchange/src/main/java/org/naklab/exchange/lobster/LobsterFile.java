package org.naklab.exchange.lobster;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.naklab.exchange.flow.BoundedLines;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.flow.SourceFile;

/**
 * The rows of one of LOBSTER's CSV files: no quotes and no empty lines. What other programs add when they write such a file is passed over:
 * a byte order mark, a first line with the names of the columns, and an empty last line.
 */
final class LobsterFile implements AutoCloseable {
    /** Every byte is a character, so that stray bytes end as a bad cell of a known row. */
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setQuote(null)
            .setIgnoreEmptyLines(false)
            .get();

    /** Some ten times an order book row of 200 levels. */
    static final int MAX_ROW_CHARS = 1 << 16;

    private static final String COLUMN_NAME = "[A-Za-z][A-Za-z0-9_ -]{0,30}";

    private final Path path;
    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private long rowsRead;

    private LobsterFile(Path path, CSVParser parser) {
        this.path = path;
        this.parser = parser;
        this.rows = parser.iterator();
    }

    static LobsterFile open(Path path) {
        InputStream in = new BufferedInputStream(SourceFile.open(path));
        try {
            skipByteOrderMark(in);
            return new LobsterFile(
                    path,
                    CSVParser.parse(
                            new BoundedLines(new InputStreamReader(in, StandardCharsets.ISO_8859_1), MAX_ROW_CHARS),
                            FORMAT));
        } catch (IOException e) {
            OrderFlowException failure = new OrderFlowException(path + ": " + SourceFile.reason(e), e);
            SourceFile.closeAfter(failure, in);
            throw failure;
        }
    }

    private static void skipByteOrderMark(InputStream in) throws IOException {
        in.mark(SourceFile.BYTE_ORDER_MARK_BYTES);
        if (!SourceFile.hasByteOrderMark(in.readNBytes(SourceFile.BYTE_ORDER_MARK_BYTES))) {
            in.reset();
        }
    }

    Path path() {
        return path;
    }

    /** Returns the number of rows that were read; the names of the columns are none. */
    long rowsRead() {
        return rowsRead;
    }

    /** Returns the next row, or null after the last. */
    @Nullable
    CSVRecord next() {
        try {
            CSVRecord row = nextLine();
            if (row != null && row.getRecordNumber() == 1 && isHeader(row)) {
                row = nextLine();
            }
            if (row == null || (rowsRead > 0 && isEmpty(row) && !rows.hasNext())) {
                return null;
            }
            rowsRead++;
            return row;
        } catch (UncheckedIOException e) {
            throw new OrderFlowException(
                    path + " row " + (parser.getRecordNumber() + 1) + ": "
                            + SourceFile.reason(Objects.requireNonNull(e.getCause())),
                    e);
        }
    }

    private @Nullable CSVRecord nextLine() {
        return rows.hasNext() ? rows.next() : null;
    }

    private static boolean isHeader(CSVRecord row) {
        return row.size() > 1 && row.stream().allMatch(cell -> cell.trim().matches(COLUMN_NAME));
    }

    private static boolean isEmpty(CSVRecord row) {
        return row.size() == 1 && row.get(0).isBlank();
    }

    @Override
    public void close() {
        try {
            parser.close();
        } catch (IOException e) {
            throw new OrderFlowException(path + ": " + SourceFile.reason(e), e);
        }
    }
}
