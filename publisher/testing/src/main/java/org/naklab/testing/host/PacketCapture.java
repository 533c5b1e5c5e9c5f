package org.naklab.testing.host;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes a capture file of IPv4 packets without checksums, for dissectors to read.
 *
 * <pre>
 *   pcap header · { record header · IPv4 20 · UDP 8 or TCP 20 · payload } …
 * </pre>
 */
public final class PacketCapture {
    private static final int RAW_IP = 101;
    private static final int IP_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int TCP_BYTES = 20;
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int LOOPBACK = 0x7f000001;
    private static final short TCP_HEADER_AND_ACK_PUSH = 0x5018;

    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final Map<Integer, Integer> sentBytes = new HashMap<>();

    /** Begins a file. */
    public PacketCapture() {
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(65_535).putInt(RAW_IP);
        file.writeBytes(header.array());
    }

    /** Adds a datagram from a port to itself. */
    public void addUdp(int port, byte[] payload) {
        ByteBuffer packet = packet(UDP, UDP_BYTES + payload.length);
        packet.putShort((short) port).putShort((short) port);
        packet.putShort((short) (UDP_BYTES + payload.length)).putShort((short) 0);
        add(packet.put(payload).flip());
    }

    /** Adds a segment of a connection, with what follows the sender's earlier segments. */
    public void addTcp(int from, int to, byte[] payload) {
        ByteBuffer packet = packet(TCP, TCP_BYTES + payload.length);
        packet.putShort((short) from).putShort((short) to);
        packet.putInt(1 + sentBytes.getOrDefault(from, 0)).putInt(1 + sentBytes.getOrDefault(to, 0));
        packet.putShort(TCP_HEADER_AND_ACK_PUSH).putShort((short) 0xFFFF).putInt(0);
        sentBytes.merge(from, payload.length, Integer::sum);
        add(packet.put(payload).flip());
    }

    /** Returns the file. */
    public byte[] toByteArray() {
        return file.toByteArray();
    }

    private static ByteBuffer packet(int protocol, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(IP_BYTES + bytes);
        packet.putShort((short) 0x4500).putShort((short) (IP_BYTES + bytes));
        packet.putInt(0)
                .putInt((0x40 << 24) | (protocol << 16))
                .putInt(LOOPBACK)
                .putInt(LOOPBACK);
        return packet;
    }

    private void add(ByteBuffer packet) {
        byte[] bytes = new byte[packet.remaining()];
        packet.get(bytes);
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0).putInt(0).putInt(bytes.length).putInt(bytes.length);
        file.writeBytes(header.array());
        file.writeBytes(bytes);
    }
}
