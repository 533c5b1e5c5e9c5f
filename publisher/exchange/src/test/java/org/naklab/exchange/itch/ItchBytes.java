package org.naklab.exchange.itch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds an ITCH 5.0 file byte by byte, field after field as the specification lists them. */
public final class ItchBytes {
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final ByteBuffer message = ByteBuffer.allocate(64);
    private int tracking;

    ItchBytes begin(char type, int locate, long timestampNs) {
        message.clear();
        return ch(type).u16(locate)
                .u16(tracking++)
                .u16((int) (timestampNs >>> 32))
                .u32(timestampNs);
    }

    ItchBytes ch(char value) {
        message.put((byte) value);
        return this;
    }

    ItchBytes u16(int value) {
        message.putShort((short) value);
        return this;
    }

    ItchBytes u32(long value) {
        message.putInt((int) value);
        return this;
    }

    ItchBytes u64(long value) {
        message.putLong(value);
        return this;
    }

    ItchBytes alpha(String text, int length) {
        message.put((text + " ".repeat(length)).substring(0, length).getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    ItchBytes end() {
        return raw(message.position()).rawBytes(message.array(), message.position());
    }

    /** A length field alone. */
    ItchBytes raw(int length) {
        file.write(length >>> 8);
        file.write(length);
        return this;
    }

    ItchBytes rawBytes(byte[] bytes, int length) {
        file.write(bytes, 0, length);
        return this;
    }

    ItchBytes system(long timestampNs, char event) {
        return begin('S', 0, timestampNs).ch(event).end();
    }

    ItchBytes directory(int locate, String stock) {
        return begin('R', locate, 1)
                .alpha(stock, 8)
                .ch('Q')
                .ch('N')
                .u32(100)
                .ch('N')
                .ch('C')
                .alpha("Z", 2)
                .ch('P')
                .ch('N')
                .ch(' ')
                .ch('1')
                .ch('N')
                .u32(0)
                .ch('N')
                .end();
    }

    ItchBytes tradingAction(int locate, long timestampNs, String stock, char state) {
        return begin('H', locate, timestampNs)
                .alpha(stock, 8)
                .ch(state)
                .ch(' ')
                .alpha("", 4)
                .end();
    }

    public ItchBytes add(
            char type, int locate, long timestampNs, long order, char side, long shares, String stock, long price) {
        begin(type, locate, timestampNs)
                .u64(order)
                .ch(side)
                .u32(shares)
                .alpha(stock, 8)
                .u32(price);
        return (type == 'F' ? alpha("NSDQ", 4) : this).end();
    }

    ItchBytes execute(int locate, long timestampNs, long order, long shares) {
        return begin('E', locate, timestampNs).u64(order).u32(shares).u64(900).end();
    }

    ItchBytes executeAt(int locate, long timestampNs, long order, long shares, long price) {
        return begin('C', locate, timestampNs)
                .u64(order)
                .u32(shares)
                .u64(901)
                .ch('Y')
                .u32(price)
                .end();
    }

    ItchBytes cancel(int locate, long timestampNs, long order, long shares) {
        return begin('X', locate, timestampNs).u64(order).u32(shares).end();
    }

    ItchBytes delete(int locate, long timestampNs, long order) {
        return begin('D', locate, timestampNs).u64(order).end();
    }

    ItchBytes replace(int locate, long timestampNs, long order, long newOrder, long shares, long price) {
        return begin('U', locate, timestampNs)
                .u64(order)
                .u64(newOrder)
                .u32(shares)
                .u32(price)
                .end();
    }

    ItchBytes trade(int locate, long timestampNs, char side, long shares, String stock, long price) {
        return begin('P', locate, timestampNs)
                .u64(0)
                .ch(side)
                .u32(shares)
                .alpha(stock, 8)
                .u32(price)
                .u64(902)
                .end();
    }

    ItchBytes cross(int locate, long timestampNs, long shares, String stock, long price) {
        return begin('Q', locate, timestampNs)
                .u64(shares)
                .alpha(stock, 8)
                .u32(price)
                .u64(903)
                .ch('O')
                .end();
    }

    int size() {
        return file.size();
    }

    public byte[] toByteArray() {
        return file.toByteArray();
    }
}
