package org.naklab.exchange.itch;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A capture file of MoldUDP64 packets. Their message blocks are framed as the messages of an ITCH file are, so bytes of the
 * file go in as they stand.
 *
 * <pre>
 *   pcap header · { record header · Ethernet 14 · IPv4 20 · UDP 8 · session 10 · sequence 8 · count 2 · blocks } …
 * </pre>
 */
final class MoldUdp64Capture {
    static final int PORT = 26_400;

    private static final int ETHERNET_BYTES = 14;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int MOLD_BYTES = 20;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private long nextSequence = 1;

    MoldUdp64Capture() {
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(65_535).putInt(1);
        file.writeBytes(header.array());
    }

    /** One packet with so many messages. */
    void add(byte[] itch, int begin, int end, int messages) {
        int moldBytes = MOLD_BYTES + end - begin;
        int length = ETHERNET_BYTES + IP_BYTES + UDP_BYTES + moldBytes;
        ByteBuffer packet = ByteBuffer.allocate(length);
        packet.position(12).putShort((short) 0x0800);
        packet.putShort((short) 0x4500).putShort((short) (length - ETHERNET_BYTES));
        packet.putInt(0).putInt(0x40110000).putInt(0x7f000001).putInt(0xefc01001);
        packet.putShort((short) PORT).putShort((short) PORT);
        packet.putShort((short) (UDP_BYTES + moldBytes)).putShort((short) 0);
        packet.put("NAKLAB    ".getBytes(StandardCharsets.US_ASCII));
        packet.putLong(nextSequence).putShort((short) messages);
        packet.put(itch, begin, end - begin);
        nextSequence += messages;

        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0).putInt(0).putInt(length).putInt(length);
        file.writeBytes(header.array());
        file.writeBytes(packet.array());
    }

    byte[] toByteArray() {
        return file.toByteArray();
    }
}
