package org.naklab.lab.cli.bundle;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** The first bytes of a stream, or those that are read in a time. One thread. */
final class BoundedInput extends FilterInputStream {
    private final long maxBytes;
    private final BooleanSupplier isOver;
    private long left;
    private boolean isLate;

    BoundedInput(InputStream in, long maxBytes) {
        this(in, maxBytes, () -> false);
    }

    /** @param isOver asked before each read, whether the time for it is over: then nothing follows */
    BoundedInput(InputStream in, long maxBytes, BooleanSupplier isOver) {
        super(in);
        this.maxBytes = maxBytes;
        this.isOver = isOver;
        left = maxBytes;
    }

    /** Returns how many bytes were read. */
    long bytes() {
        return maxBytes - left;
    }

    /** Returns whether the time was over before the stream was. */
    boolean isLate() {
        return isLate;
    }

    private boolean isAtEnd() {
        isLate = isLate || (left > 0 && isOver.getAsBoolean());
        return isLate || left == 0;
    }

    /** Returns whether there is more than the bound allows. */
    boolean isCut() throws IOException {
        return left == 0 && in.read() >= 0;
    }

    @Override
    public int read() throws IOException {
        int read = isAtEnd() ? -1 : in.read();
        left -= read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length > 0 && isAtEnd()) {
            return -1;
        }
        int read = in.read(bytes, offset, (int) Math.min(length, left));
        left -= Math.max(read, 0);
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = in.skip(Math.min(count, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
