package org.naklab.subscriber.clients;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The packets of SoupBinTCP 3.00: a length of two bytes, a type, a body. Numbers in a body are ASCII, with blanks on the left; texts have
 * them on the right.
 */
final class SoupPacket {
    static final byte SEQUENCED = 'S';
    static final byte UNSEQUENCED = 'U';
    static final byte DEBUG = '+';
    static final byte LOGIN_ACCEPTED = 'A';
    static final byte LOGIN_REJECTED = 'J';
    static final byte SERVER_HEARTBEAT = 'H';
    static final byte END_OF_SESSION = 'Z';
    static final byte LOGIN_REQUEST = 'L';
    static final byte CLIENT_HEARTBEAT = 'R';
    static final byte LOGOUT_REQUEST = 'O';
    /** Reason of a rejection: the session or the messages that are asked for are not available. */
    static final byte NOT_AVAILABLE = 'S';

    static final int SESSION_BYTES = 10;

    private static final int MAX_BODY_BYTES = 0xFFFF;
    private static final int USER_BYTES = 6;
    private static final int PASSWORD_BYTES = 10;
    private static final int SEQUENCE_BYTES = 20;
    private static final int LOGIN_BYTES = USER_BYTES + PASSWORD_BYTES + SESSION_BYTES + SEQUENCE_BYTES;

    private SoupPacket() {}

    /** Returns a decoder of frames that begin with the type; longer ones than the limit fail. */
    static LengthFieldBasedFrameDecoder framing(int maxBytes) {
        return new LengthFieldBasedFrameDecoder(Math.min(maxBytes, MAX_BODY_BYTES) + 2, 0, 2, 0, 2);
    }

    /** Returns a packet without a body. */
    static ByteBuf empty(ByteBufAllocator allocator, byte type) {
        return allocator.buffer(3).writeShort(1).writeByte(type);
    }

    /** Returns a packet with a text. */
    static ByteBuf text(ByteBufAllocator allocator, byte type, String text) {
        ByteBuf packet = allocator.buffer(3 + text.length());
        packet.writeShort(1 + text.length()).writeByte(type).writeCharSequence(text, US_ASCII);
        return packet;
    }

    /** Returns the answer to a log-in, with the sequence of the message that comes first. */
    static ByteBuf accepted(ByteBufAllocator allocator, String session, long sequence) {
        return text(allocator, LOGIN_ACCEPTED, String.format(Locale.ROOT, "%-10s%20d", session, sequence));
    }

    /** Returns a log-in. */
    static ByteBuf login(ByteBufAllocator allocator, String user, String session, long sequence) {
        return text(
                allocator,
                LOGIN_REQUEST,
                String.format(Locale.ROOT, "%-6s%-10s%-10s%20d", user, "", session, sequence));
    }

    /**
     * The body of a log-in.
     *
     * @param session blank: the current one
     * @param sequence of the first message wanted; 0: only what comes from now on
     */
    record Login(String user, String session, long sequence) {
        /** Reads a body; null when it is none. */
        static @Nullable Login of(ByteBuf body) {
            if (body.readableBytes() != LOGIN_BYTES) {
                return null;
            }
            String user = take(body, USER_BYTES);
            body.skipBytes(PASSWORD_BYTES);
            String session = take(body, SESSION_BYTES);
            long sequence = number(take(body, SEQUENCE_BYTES));
            return sequence < 0 ? null : new Login(user, session, sequence);
        }
    }

    /** Reads the sequence of the first message from the answer to a log-in; -1 when the answer is none. */
    static long acceptedSequence(ByteBuf body) {
        if (body.readableBytes() != SESSION_BYTES + SEQUENCE_BYTES) {
            return -1;
        }
        body.skipBytes(SESSION_BYTES);
        return number(take(body, SEQUENCE_BYTES));
    }

    private static String take(ByteBuf body, int bytes) {
        return body.readCharSequence(bytes, US_ASCII).toString().strip();
    }

    /** Reads a number without a sign; blank is 0, and what is none is -1. */
    private static long number(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        boolean isNumber = text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(text) : -1;
    }
}
