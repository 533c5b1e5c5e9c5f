package org.naklab.exchange.lobster;

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

/** The rows of one of LOBSTER's CSV files: no header, no quotes, no empty lines. */
final class LobsterFile implements AutoCloseable {
    /** Every byte is a character, so that stray bytes end as a bad cell of a known row. */
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT
            .builder()
            .setQuote(null)
            .setIgnoreEmptyLines(false)
            .get();

    /** Some ten times an order book row of 200 levels. */
    static final int MAX_ROW_CHARS = 1 << 16;

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
        InputStream in = SourceFile.open(path);
        try {
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

    Path path() {
        return path;
    }

    long rowsRead() {
        return rowsRead;
    }

    /** The next row, or null after the last. */
    @Nullable
    CSVRecord next() {
        try {
            if (!rows.hasNext()) {
                return null;
            }
            CSVRecord row = rows.next();
            rowsRead++;
            return row;
        } catch (UncheckedIOException e) {
            throw new OrderFlowException(
                    path + " row " + (rowsRead + 1) + ": " + SourceFile.reason(Objects.requireNonNull(e.getCause())),
                    e);
        }
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
