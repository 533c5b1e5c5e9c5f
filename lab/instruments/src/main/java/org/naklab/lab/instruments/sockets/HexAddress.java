package org.naklab.lab.instruments.sockets;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Addresses as {@code /proc/net} prints them: 32-bit words of network-order bytes, each printed in this machine's order. */
final class HexAddress {
    private HexAddress() {}

    /** Decodes the address at an offset of the text, in numeric form. */
    static String decode(DirectBuffer text, int offset, boolean ipv6) {
        int words = ipv6 ? 4 : 1;
        ByteBuffer bytes = ByteBuffer.allocate(words * Integer.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < words; i++) {
            bytes.putInt(Integer.parseUnsignedInt(text.getStringWithoutLengthAscii(offset + i * 8, 8), 16));
        }
        return SocketOptions.numeric(bytes.array());
    }
}
