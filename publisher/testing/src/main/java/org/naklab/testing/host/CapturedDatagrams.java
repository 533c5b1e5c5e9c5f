package org.naklab.testing.host;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the IPv4 datagrams of one Ethernet interface from a capture in the format pcapng, little-endian and with times in nanoseconds, as dumpcap writes it on this kind of machine.
 *
 * <pre>
 *   block: type:32 · length:32 · body · length:32
 *   body of a packet: interface:32 · time high:32 · time low:32 · kept:32 · length:32 · { Ethernet 14 · IPv4 20 · UDP 8 · payload }
 * </pre>
 */
public final class CapturedDatagrams {
    private static final int SECTION = 0x0A0D0D0A;
    private static final int LITTLE_ENDIAN = 0x1A2B3C4D;
    private static final int INTERFACE = 1;
    private static final int PACKET = 6;
    private static final int ETHERNET = 1;
    private static final int OPTIONS = 16;
    private static final int TIME_RESOLUTION = 9;
    private static final int NANOSECONDS = 9;
    private static final int PACKET_DATA = 28;
    private static final int ETHERNET_BYTES = 14;
    private static final int UDP = 17;
    private static final int UDP_BYTES = 8;

    private CapturedDatagrams() {}

    /**
     * Tells of a datagram.
     *
     * @param timeNs nanoseconds since 1970
     * @param group destination, dotted
     * @param port destination
     * @param bytes length of the payload
     * @param kept the begin of the payload, as much as was captured, little-endian
     */
    public record Datagram(long timeNs, String group, int port, int bytes, ByteBuffer kept) {}

    /**
     * Reads all datagrams, in the order of the file.
     *
     * @throws IOException the file cannot be read, or is none of those that this reads
     */
    public static List<Datagram> read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<Datagram> datagrams = new ArrayList<>();
        int at = 0;
        while (at < bytes.capacity()) {
            int length = bytes.getInt(at + 4);
            switch (bytes.getInt(at)) {
                case SECTION -> require(bytes.getInt(at + 8) == LITTLE_ENDIAN, "not little-endian");
                case INTERFACE -> {
                    require(bytes.getShort(at + 8) == ETHERNET, "not Ethernet");
                    require(resolution(bytes, at + OPTIONS, at + length) == NANOSECONDS, "not in nanoseconds");
                }
                case PACKET -> datagrams.add(datagram(bytes, at));
                default -> {} // Statistics, and what later versions add.
            }
            require(length > 0 && bytes.getInt(at + length - 4) == length, "no block at " + at);
            at += length;
        }
        return datagrams;
    }

    private static int resolution(ByteBuffer bytes, int from, int to) {
        for (int at = from; at + 4 < to && bytes.getShort(at) != 0; at += 4 + (bytes.getShort(at + 2) + 3) / 4 * 4) {
            if (bytes.getShort(at) == TIME_RESOLUTION) {
                return bytes.get(at + 4);
            }
        }
        return 0;
    }

    private static Datagram datagram(ByteBuffer bytes, int block) throws IOException {
        long timeNs =
                (long) bytes.getInt(block + 12) << Integer.SIZE | Integer.toUnsignedLong(bytes.getInt(block + 16));
        int ip = block + PACKET_DATA + ETHERNET_BYTES;
        int udp = ip + (bytes.get(ip) & 0xF) * 4;
        require(bytes.get(ip + 9) == UDP, "not UDP");
        byte[] destination = new byte[4];
        bytes.get(ip + 16, destination);
        int payload = udp + UDP_BYTES;
        int keptBytes = bytes.getInt(block + 20) - (payload - block - PACKET_DATA);
        return new Datagram(
                timeNs,
                InetAddress.getByAddress(destination).getHostAddress(),
                networkShort(bytes, udp + 2),
                networkShort(bytes, udp + 4) - UDP_BYTES,
                bytes.slice(payload, keptBytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static int networkShort(ByteBuffer bytes, int at) {
        return ((bytes.get(at) & 0xFF) << Byte.SIZE) | (bytes.get(at + 1) & 0xFF);
    }

    private static void require(boolean isTrue, String otherwise) throws IOException {
        if (!isTrue) {
            throw new IOException("a capture that this does not read: " + otherwise);
        }
    }
}
