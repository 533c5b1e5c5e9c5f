package org.naklab.messaging;

/** Tells how the transport treats slow receivers and loss; every run says which. */
public enum TransportProfile {
    /**
     * Like LBT-RM: receivers' windows are ignored, NAKs back off 25 to 75 ms and then 100 to 300 ms, retransmission is
     * rate-limited, and a receiver's window depends on the log alone, not on its socket.
     */
    LBTRM(8 * 1024 * 1024),
    /** Aeron's own defaults: a window and a socket buffer of 128 KiB, NAKs within 10 ms, the sender waits for the fastest. */
    AERON(128 * 1024);

    /** Aeron's default MTU: one Ethernet frame with room for the headers below UDP. */
    public static final int MTU_BYTES = 1408;

    private final int receiveBufferBytes;

    TransportProfile(int receiveBufferBytes) {
        this.receiveBufferBytes = receiveBufferBytes;
    }

    /** SO_RCVBUF that the profile asks for. */
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }
}
