package org.naklab.faults.datagram;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The copy of a datagram that is on its way a little longer. */
final class HeldDatagram implements Comparable<HeldDatagram> {
    private final byte[] bytes;
    private final @Nullable InetSocketAddress address;
    private final long number;
    private long dueNs;
    private int behind;

    HeldDatagram(
            ByteBuffer source,
            int offset,
            int lengthBytes,
            @Nullable InetSocketAddress address,
            long number,
            DatagramFilter.Fate fate,
            long nowNs) {
        bytes = new byte[lengthBytes];
        source.get(offset, bytes);
        this.address = address;
        this.number = number;
        dueNs = nowNs + fate.holdNs();
        behind = fate.behind();
    }

    /** Another datagram has overtaken it; whether that was enough. */
    boolean isOvertaken() {
        behind--;
        return behind == 0;
    }

    boolean isDue(long nowNs) {
        return nowNs - dueNs >= 0;
    }

    void dueAt(long nowNs) {
        dueNs = nowNs;
    }

    ByteBuffer bytes() {
        return ByteBuffer.wrap(bytes);
    }

    /** Returns where it came from, or where it goes; null: where the endpoint is connected to. */
    @Nullable
    InetSocketAddress address() {
        return address;
    }

    /** By due time, and in order of arrival where that is the same. */
    @Override
    public int compareTo(HeldDatagram other) {
        long differenceNs = dueNs - other.dueNs;
        return Long.signum(differenceNs == 0 ? number - other.number : differenceNs);
    }
}
