package org.naklab.lab.report.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes the message of a protocol buffer: fields of numbers, texts and messages. */
final class ProtocolBuffer {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int TYPE_BITS = 3;
    private static final int GROUP_BITS = 7;
    private static final int GROUP_MASK = 0x7f;
    private static final int MORE = 0x80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ProtocolBuffer put(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtocolBuffer put(int field, String text) {
        return put(field, text.getBytes(StandardCharsets.UTF_8));
    }

    ProtocolBuffer put(int field, ProtocolBuffer message) {
        return put(field, message.toBytes());
    }

    /** Puts numbers one after the other, without a tag for each. */
    ProtocolBuffer putPacked(int field, List<Long> values) {
        ProtocolBuffer packed = new ProtocolBuffer();
        values.forEach(packed::varint);
        return put(field, packed.toBytes());
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    private ProtocolBuffer put(int field, byte[] content) {
        tag(field, LENGTH_DELIMITED);
        varint(content.length);
        bytes.writeBytes(content);
        return this;
    }

    private void tag(int field, int type) {
        varint((long) field << TYPE_BITS | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~(long) GROUP_MASK) != 0) {
            bytes.write((int) (rest & GROUP_MASK) | MORE);
            rest >>>= GROUP_BITS;
        }
        bytes.write((int) rest);
    }
}
