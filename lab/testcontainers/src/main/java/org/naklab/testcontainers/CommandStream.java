package org.naklab.testcontainers;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The standard input of a container: lines are added until it is closed. */
final class CommandStream extends InputStream {
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private byte[] line = {};
    private int position;
    private boolean hasEnded;

    void add(String command) {
        lines.add((command + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    /** Waits for a first byte, and returns what is there. */
    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (position == line.length && !hasEnded) {
            nextLine();
        }
        if (hasEnded) {
            return -1;
        }
        int count = Math.min(length, line.length - position);
        System.arraycopy(line, position, buffer, offset, count);
        position += count;
        return count;
    }

    private void nextLine() throws IOException {
        try {
            line = lines.take();
            position = 0;
            hasEnded = line.length == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a command");
        }
    }

    @Override
    public void close() {
        lines.add(END);
    }
}
