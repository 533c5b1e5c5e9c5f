package org.naklab.lab.containers.relay;

/** An Ethernet frame with an IPv4 UDP datagram, in the bytes that a tap gives. */
final class UdpFrame {
    private static final int SOURCE_ADDRESS = 6;
    private static final int ETHERTYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int ETHERNET_HEADER = 14;
    private static final int PROTOCOL = ETHERNET_HEADER + 9;
    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int LEAST = ETHERNET_HEADER + 20 + UDP_HEADER;

    private UdpFrame() {}

    /** The interface that is taken for a tap speaks for itself too: neighbour discovery and the like. */
    static boolean isUdp(byte[] frame) {
        return frame.length >= LEAST
                && (Byte.toUnsignedInt(frame[ETHERTYPE]) << 8 | Byte.toUnsignedInt(frame[ETHERTYPE + 1])) == IPV4
                && frame[PROTOCOL] == UDP;
    }

    static void mark(byte[] frame) {
        for (int i = 0; i < Integer.BYTES; i++) {
            frame[SOURCE_ADDRESS + i] = (byte) (RelayMark.VALUE >> (8 * (Integer.BYTES - 1 - i)));
        }
    }

    /**
     * Flips a bit of the payload.
     *
     * @param choice any number that is not negative: decides which
     * @return whether there was a payload
     */
    static boolean corrupt(byte[] frame, long choice) {
        int payload = ETHERNET_HEADER + (frame[ETHERNET_HEADER] & 0xF) * Integer.BYTES + UDP_HEADER;
        int length = frame.length - payload;
        if (length <= 0) {
            return false;
        }
        frame[payload + (int) (choice / Byte.SIZE % length)] ^= (byte) (1 << (choice % Byte.SIZE));
        return true;
    }
}
