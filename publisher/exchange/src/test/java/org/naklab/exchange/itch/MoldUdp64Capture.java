package org.naklab.exchange.itch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.naklab.testing.host.PacketCapture;

/**
 * A capture file of MoldUDP64 packets. Their message blocks are framed as the messages of an ITCH file are, so bytes of the
 * file go in as they stand.
 *
 * <pre>
 *   session 10 · sequence 8 · count 2 · blocks
 * </pre>
 */
final class MoldUdp64Capture {
    static final int PORT = 26_400;

    private static final int MOLD_BYTES = 20;

    private final PacketCapture capture = new PacketCapture();
    private long nextSequence = 1;

    /** One packet with so many messages. */
    void add(byte[] itch, int begin, int end, int messages) {
        ByteBuffer packet = ByteBuffer.allocate(MOLD_BYTES + end - begin);
        packet.put("NAKLAB    ".getBytes(StandardCharsets.US_ASCII));
        packet.putLong(nextSequence).putShort((short) messages);
        packet.put(itch, begin, end - begin);
        nextSequence += messages;
        capture.addUdp(PORT, packet.array());
    }

    byte[] toByteArray() {
        return capture.toByteArray();
    }
}
