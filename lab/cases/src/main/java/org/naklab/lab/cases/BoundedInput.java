package org.naklab.lab.cases;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails when more comes than a bound allows, as from a compressed file that is made to fill the memory. */
final class BoundedInput extends FilterInputStream {
    private final long maxBytes;
    private long readBytes;

    BoundedInput(InputStream in, long maxBytes) {
        super(in);
        this.maxBytes = maxBytes;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
    }

    private void count(int bytes) throws IOException {
        readBytes += bytes;
        if (readBytes > maxBytes) {
            throw new IOException("it has more than " + maxBytes + " bytes when it is decompressed");
        }
    }
}
