package org.naklab.lab.scenarios.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;

/**
 * Lines of JSON on a socket. One thread reads while another writes, which the streams of {@link java.nio.channels.Channels} do not permit.
 */
final class LineChannel implements AutoCloseable {
    /** The proof of a fault has at most 64 firings of a line each. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int BUFFER_BYTES = 8_192;

    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).flip();

    LineChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Waits for a line.
     *
     * @return {@code null} if the other side has closed
     * @throws IOException if the connection broke, or a line is too long
     */
    @Nullable
    String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (in.hasRemaining()) {
                byte next = in.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
            if (line.size() > MOST_BYTES) {
                throw new IOException("a line has more than " + MOST_BYTES + " bytes");
            }
            in.clear();
            int read = channel.read(in);
            in.flip();
            if (read < 0) {
                return null;
            }
        }
    }

    /** Writes a value on one line. */
    synchronized void write(Object value) throws IOException {
        ByteBuffer out = ByteBuffer.wrap((Json.line(value) + "\n").getBytes(StandardCharsets.UTF_8));
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
