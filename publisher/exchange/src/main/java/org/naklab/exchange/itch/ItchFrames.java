package org.naklab.exchange.itch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.naklab.exchange.flow.OrderFlowException;
import org.naklab.exchange.flow.SourceFile;

/**
 * Cuts a file into messages and checks each against the specification's length for its type.
 *
 * <pre>
 *   0        2                length + 2
 *   +--------+----------------+--------+---
 *   | length | message        | length | …     big-endian, offsets below count in the message
 *   +--------+----------------+--------+---
 *            | code | locate 1 | tracking 3 | timestamp 5 (6 bytes) | body 11 …
 * </pre>
 *
 * <p>A length of 0 is an error, unless it is the file's last two bytes and follows a message: NASDAQ's BinaryFILE framing ends a session
 * in this way.
 */
final class ItchFrames implements AutoCloseable {
    private static final int LENGTH_BYTES = 2;
    private static final int CAPACITY_BYTES = 1 << 17;

    private final Path path;
    private final InputStream in;
    private final byte[] bytes = new byte[CAPACITY_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);
    private ItchMessageType type = ItchMessageType.SYSTEM_EVENT;
    private int position;
    private int limit;
    private int start;
    private long bytesBefore;
    private boolean hasMessage;

    private ItchFrames(Path path, InputStream in) {
        this.path = path;
        this.in = in;
    }

    static ItchFrames open(Path path) {
        return new ItchFrames(path, SourceFile.open(path));
    }

    /** Moves to the next message; {@code false} at the end of the file. */
    boolean next() {
        start = position;
        int available = fill(LENGTH_BYTES);
        if (available == 0) {
            return false;
        }
        if (available < LENGTH_BYTES) {
            throw bad("the file ends within a length field");
        }
        int length = buffer.getShort(position) & 0xffff;
        if (length == 0) {
            return endOfSession();
        }
        if (fill(LENGTH_BYTES + length) < LENGTH_BYTES + length) {
            throw bad("a message of " + length + " bytes reaches beyond the end of the file");
        }
        start = position;
        type = checkedType(bytes[position + LENGTH_BYTES], length);
        position += LENGTH_BYTES + length;
        hasMessage = true;
        return true;
    }

    ItchMessageType type() {
        return type;
    }

    char charAt(int offset) {
        return (char) (bytes[start + LENGTH_BYTES + offset] & 0xff);
    }

    int uint16At(int offset) {
        return buffer.getShort(start + LENGTH_BYTES + offset) & 0xffff;
    }

    long uint32At(int offset) {
        return buffer.getInt(start + LENGTH_BYTES + offset) & 0xffff_ffffL;
    }

    long int64At(int offset) {
        return buffer.getLong(start + LENGTH_BYTES + offset);
    }

    int stockLocate() {
        return uint16At(1);
    }

    /** Nanoseconds after midnight, six bytes. */
    long timestampNs() {
        return ((long) uint16At(5) << 32) | uint32At(7);
    }

    /** Text, left-justified and padded with spaces. */
    String alphaAt(int offset, int length) {
        return new String(bytes, start + LENGTH_BYTES + offset, length, StandardCharsets.ISO_8859_1).stripTrailing();
    }

    /** A complaint about the current message, at the offset of its length field in the decompressed file. */
    OrderFlowException bad(String complaint) {
        return new OrderFlowException(path + " offset " + (bytesBefore + start) + ": " + complaint);
    }

    private ItchMessageType checkedType(byte code, int length) {
        ItchMessageType found = ItchMessageType.of(code);
        if (found == null) {
            throw bad("unknown ITCH 5.0 message type " + codeText(code));
        }
        if (found.length() != length) {
            throw bad("message type " + codeText(code) + " has " + length + " bytes instead of " + found.length());
        }
        return found;
    }

    private boolean endOfSession() {
        if (hasMessage && fill(LENGTH_BYTES + 1) == LENGTH_BYTES) {
            position = limit;
            return false;
        }
        throw bad("a message length of 0");
    }

    /** Makes {@code length} bytes available at {@code position} if the file has them; returns how many are. */
    private int fill(int length) {
        if (limit - position < length && position > CAPACITY_BYTES - length) {
            System.arraycopy(bytes, position, bytes, 0, limit - position);
            bytesBefore += position;
            limit -= position;
            position = 0;
            start = 0;
        }
        while (limit - position < length) {
            int read = readSome();
            if (read < 0) {
                return limit - position;
            }
            limit += read;
        }
        return length;
    }

    private int readSome() {
        try {
            return in.read(bytes, limit, CAPACITY_BYTES - limit);
        } catch (IOException e) {
            throw new OrderFlowException(path + " offset " + (bytesBefore + limit) + ": " + SourceFile.reason(e), e);
        }
    }

    private static String codeText(byte code) {
        return code > ' ' && code < 0x7f ? "'" + (char) code + "'" : String.format("0x%02x", code & 0xff);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new OrderFlowException(path + ": " + SourceFile.reason(e), e);
        }
    }
}
