package org.naklab.lab.containers.relay;

/** An Ethernet frame with an IPv4 UDP datagram, in the bytes that a tap gives. */
final class UdpFrame {
    private static final int SOURCE_ADDRESS = 6;
    private static final int ETHERTYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int ETHERNET_HEADER = 14;
    private static final int IDENTIFICATION = ETHERNET_HEADER + 4;
    private static final int FRAGMENT = ETHERNET_HEADER + 6;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT_OFFSET = 0x1fff;
    private static final int PROTOCOL = ETHERNET_HEADER + 9;
    private static final int SOURCE = ETHERNET_HEADER + 12;
    private static final int DESTINATION = ETHERNET_HEADER + 16;
    private static final int CLASS_D = 0xe;
    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int LEAST = ETHERNET_HEADER + 20 + UDP_HEADER;

    private UdpFrame() {}

    /** The interface that is taken for a tap speaks for itself too: neighbour discovery and the like. */
    static boolean isUdp(byte[] frame) {
        return frame.length >= LEAST && unsignedShort(frame, ETHERTYPE) == IPV4 && frame[PROTOCOL] == UDP;
    }

    static void mark(byte[] frame) {
        for (int i = 0; i < Integer.BYTES; i++) {
            frame[SOURCE_ADDRESS + i] = (byte) (RelayMark.VALUE >> (8 * (Integer.BYTES - 1 - i)));
        }
    }

    /** Returns whether the frame has the header of the datagram: it is whole, or the first fragment. */
    static boolean beginsDatagram(byte[] frame) {
        return (unsignedShort(frame, FRAGMENT) & FRAGMENT_OFFSET) == 0;
    }

    /** Returns whether later frames belong to the same datagram. */
    static boolean hasMoreFragments(byte[] frame) {
        return (unsignedShort(frame, FRAGMENT) & MORE_FRAGMENTS) != 0;
    }

    /** Returns what the fragments of one datagram have in common. */
    static LossChoice.Fragmented fragmented(byte[] frame) {
        return new LossChoice.Fragmented(
                address(frame, SOURCE), address(frame, DESTINATION), unsignedShort(frame, IDENTIFICATION));
    }

    /** Returns the destination of the datagram that begins in this frame. */
    static LossChoice.Destination destination(byte[] frame) {
        int address = address(frame, DESTINATION);
        boolean isMulticast = address >>> 28 == CLASS_D;
        return new LossChoice.Destination(isMulticast ? address : 0, unsignedShort(frame, udpHeader(frame) + 2));
    }

    private static int udpHeader(byte[] frame) {
        return ETHERNET_HEADER + (frame[ETHERNET_HEADER] & 0xF) * Integer.BYTES;
    }

    private static int address(byte[] frame, int position) {
        return unsignedShort(frame, position) << Short.SIZE | unsignedShort(frame, position + 2);
    }

    private static int unsignedShort(byte[] frame, int position) {
        return Byte.toUnsignedInt(frame[position]) << 8 | Byte.toUnsignedInt(frame[position + 1]);
    }

    /**
     * Flips a bit of the payload.
     *
     * @param choice any number that is not negative: decides which
     * @return whether there was a payload
     */
    static boolean corrupt(byte[] frame, long choice) {
        int payload = udpHeader(frame) + UDP_HEADER;
        int length = frame.length - payload;
        if (length <= 0) {
            return false;
        }
        frame[payload + (int) (choice / Byte.SIZE % length)] ^= (byte) (1 << (choice % Byte.SIZE));
        return true;
    }
}
