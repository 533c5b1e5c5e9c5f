package org.naklab.lab.detect;

import java.util.List;

/** A UDP socket under observation, and its latest figures. The figures are the sampling thread's. */
final class MonitoredSocket {
    private final SocketIdentity identity;
    private final int descriptor;
    private volatile List<String> groups = List.of();
    private volatile int ownersDescriptor;
    private long depthBytes;
    private long limitBytes = SocketSample.UNKNOWN;
    private long txDepthBytes;
    private long drops;
    private boolean changed = true;

    /** A socket whose figures come from a table. */
    MonitoredSocket(SocketIdentity identity) {
        this(identity, -1, -1);
    }

    /** A socket whose figures come from a file descriptor of this process; its owner has another. */
    MonitoredSocket(SocketIdentity identity, int descriptor, int ownersDescriptor) {
        this.identity = identity;
        this.descriptor = descriptor;
        this.ownersDescriptor = ownersDescriptor;
    }

    SocketIdentity identity() {
        return identity;
    }

    int descriptor() {
        return descriptor;
    }

    /** One of those that its owner has for it, as of the last refresh. */
    int ownersDescriptor() {
        return ownersDescriptor;
    }

    void ownersDescriptor(int newDescriptor) {
        ownersDescriptor = newDescriptor;
    }

    List<String> groups() {
        return groups;
    }

    void groups(List<String> newGroups) {
        groups = newGroups;
    }

    void update(long newDepthBytes, long newLimitBytes, long newTxDepthBytes, long newDrops) {
        changed |= newDepthBytes != depthBytes
                || newLimitBytes != limitBytes
                || newTxDepthBytes != txDepthBytes
                || newDrops != drops;
        depthBytes = newDepthBytes;
        limitBytes = newLimitBytes;
        txDepthBytes = newTxDepthBytes;
        drops = newDrops;
    }

    /** Whether a figure changed since this was last asked. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    long depthBytes() {
        return depthBytes;
    }

    long limitBytes() {
        return limitBytes;
    }

    long txDepthBytes() {
        return txDepthBytes;
    }

    long drops() {
        return drops;
    }

    SocketSample snapshot(long timeNs) {
        return new SocketSample(timeNs, identity, groups, depthBytes, limitBytes, txDepthBytes, drops);
    }
}
