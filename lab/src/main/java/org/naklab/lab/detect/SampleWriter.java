package org.naklab.lab.detect;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Writes {@code samples.csv.gz}: {@code time_ns,series,value}, a row for each sample that differs from the one before of its
 * series. Bounded: after {@code maxRows} the rest is counted, not written. One thread.
 */
public final class SampleWriter implements SampleConsumer {
    /** Some 20 minutes of one busy service, or 100 MB compressed. */
    public static final long DEFAULT_MAX_ROWS = 20_000_000;

    static final String HEADER = "time_ns,series,value\n";

    private final Path file;
    private final Writer writer;
    private final long maxRows;
    private final StringBuilder row = new StringBuilder(128);
    private long rows;
    private long suppressed;

    private SampleWriter(Path file, Writer writer, long maxRows) {
        this.file = file;
        this.writer = writer;
        this.maxRows = maxRows;
    }

    /**
     * A writer to a new file.
     *
     * @throws DetectException it cannot be written
     */
    public static SampleWriter create(Path file, long maxRows) {
        try {
            GZIPOutputStream zipped = new GZIPOutputStream(Files.newOutputStream(file), 64 * 1024);
            Writer writer = new BufferedWriter(new OutputStreamWriter(zipped, StandardCharsets.UTF_8), 64 * 1024);
            writer.write(HEADER);
            return new SampleWriter(file, writer, maxRows);
        } catch (IOException e) {
            throw new DetectException("cannot write samples " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void onSample(long timeNs, Series series, long value) {
        if (rows == maxRows) {
            suppressed++;
            return;
        }
        row.setLength(0);
        row.append(timeNs)
                .append(',')
                .append(series.name())
                .append(',')
                .append(value)
                .append('\n');
        try {
            writer.append(row);
            rows++;
        } catch (IOException e) {
            throw new DetectException("cannot write samples " + file + ": " + e.getMessage(), e);
        }
    }

    /** Rows written. */
    public long rows() {
        return rows;
    }

    /** Rows that came after the bound. */
    public long suppressed() {
        return suppressed;
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new DetectException("cannot write samples " + file + ": " + e.getMessage(), e);
        }
    }
}
