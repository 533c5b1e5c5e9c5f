package org.naklab.journaler;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Names of fields as Chronicle's binary wire writes them; codes from net.openhft.chronicle.wire.BinaryWireCode. */
final class WireFields {
    static final int UINT32 = 0xA3;
    static final int INT64 = 0xA7;
    static final int BYTES_LENGTH8 = 0x80;
    static final int U8_ARRAY = 0x8A;

    private static final int FIELD_NAME = 0xC0;

    private WireFields() {}

    /** The bytes before a field's value: its name, and the value's code. */
    static byte[] prefix(String fieldName, int valueCode) {
        byte[] name = fieldName.getBytes(StandardCharsets.US_ASCII);
        byte[] prefix = new byte[name.length + 2];
        prefix[0] = (byte) (FIELD_NAME + name.length);
        System.arraycopy(name, 0, prefix, 1, name.length);
        prefix[prefix.length - 1] = (byte) valueCode;
        return prefix;
    }

    static boolean isAt(DirectBuffer buffer, int offset, byte[] prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if (buffer.getByte(offset + i) != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
