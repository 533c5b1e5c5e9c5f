package org.naklab.lab.cli.bundle;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. One thread. */
final class BoundedInput extends FilterInputStream {
    private long left;

    BoundedInput(InputStream in, long maxBytes) {
        super(in);
        left = maxBytes;
    }

    /** Returns whether there is more than the bound allows. */
    boolean isCut() throws IOException {
        return left == 0 && in.read() >= 0;
    }

    @Override
    public int read() throws IOException {
        int read = left == 0 ? -1 : in.read();
        left -= read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (left == 0 && length > 0) {
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
