package org.naklab.lab.instruments.series;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.timeline.DetectException;

/**
 * Writes {@code samples.csv.gz}: {@code time_ns,series,value}, a row for each sample that differs from the one before of its
 * series. Bounded: after {@code maxRows} the rest is counted, not written. Rows are put together without allocation and compressed by the
 * block, fast rather than small: it is done while the run is looked at. One thread.
 */
public final class SampleWriter implements SampleConsumer {
    /** About 20 minutes of one busy service, or 150 MB compressed. */
    public static final long DEFAULT_MAX_ROWS = 20_000_000;

    static final String HEADER = "time_ns,series,value\n";

    private static final int BLOCK_BYTES = 64 * 1024;
    private static final int MAX_NUMBER_BYTES = 20;
    private static final int MAX_BYTES_BESIDE_NAME = 2 * MAX_NUMBER_BYTES + 3;

    private final Path file;
    private final OutputStream raw;
    private final OutputStream zipped;
    private final long maxRows;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final UnsafeBuffer view = new UnsafeBuffer(block);
    private int used;
    private long rows;
    private long suppressed;
    private boolean failed;

    private SampleWriter(Path file, OutputStream raw, OutputStream zipped, long maxRows) {
        this.file = file;
        this.raw = raw;
        this.zipped = zipped;
        this.maxRows = maxRows;
    }

    /**
     * Creates a writer to a new file.
     *
     * @throws DetectException it cannot be written
     */
    public static SampleWriter create(Path file, long maxRows) {
        try {
            OutputStream raw = OutputFile.create(file);
            try {
                OutputStream zipped = new FastGzip(raw);
                zipped.write(HEADER.getBytes(StandardCharsets.UTF_8));
                return new SampleWriter(file, raw, zipped, maxRows);
            } catch (IOException e) {
                raw.close();
                throw e;
            }
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
        byte[] name = series.nameBytes();
        if (used + name.length + MAX_BYTES_BESIDE_NAME > BLOCK_BYTES) {
            writeBlock();
        }
        used += view.putLongAscii(used, timeNs);
        view.putByte(used++, (byte) ',');
        System.arraycopy(name, 0, block, used, name.length);
        used += name.length;
        view.putByte(used++, (byte) ',');
        used += view.putLongAscii(used, value);
        view.putByte(used++, (byte) '\n');
        rows++;
    }

    /** Rows written. */
    public long rows() {
        return rows;
    }

    /** Rows that came after the bound. */
    public long suppressed() {
        return suppressed;
    }

    /** Once writing has failed, it closes the file as it is. */
    @Override
    public void close() {
        try {
            try {
                if (!failed) {
                    zipped.write(block, 0, used);
                    zipped.close();
                }
            } finally {
                raw.close();
            }
        } catch (IOException e) {
            throw new DetectException("cannot write samples " + file + ": " + e.getMessage(), e);
        }
    }

    private void writeBlock() {
        try {
            zipped.write(block, 0, used);
            used = 0;
        } catch (IOException e) {
            failed = true;
            throw new DetectException("cannot write samples " + file + ": " + e.getMessage(), e);
        }
    }

    /** The JDK's, but for the level. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BLOCK_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
