package org.naklab.lab.instruments.sampling;

import java.util.List;

/** A UDP socket under observation, and its latest figures. The figures are the sampling thread's. */
public final class MonitoredSocket {
    private final SocketIdentity identity;
    private final int descriptor;
    private volatile List<String> groups = List.of();
    private volatile int ownersDescriptor;
    private long depthBytes;
    private long limitBytes = SocketSample.UNKNOWN;
    private long txDepthBytes;
    private long drops;
    private boolean changed = true;

    /** Creates a socket whose figures come from a table. */
    public MonitoredSocket(SocketIdentity identity) {
        this(identity, -1, -1);
    }

    /** Creates a socket whose figures come from a file descriptor of this process; its owner has another one. */
    public MonitoredSocket(SocketIdentity identity, int descriptor, int ownersDescriptor) {
        this.identity = identity;
        this.descriptor = descriptor;
        this.ownersDescriptor = ownersDescriptor;
    }

    public SocketIdentity identity() {
        return identity;
    }

    public int descriptor() {
        return descriptor;
    }

    /** Returns one of the owner's descriptors of the socket, as of the last refresh. */
    public int ownersDescriptor() {
        return ownersDescriptor;
    }

    public void ownersDescriptor(int newDescriptor) {
        ownersDescriptor = newDescriptor;
    }

    public List<String> groups() {
        return groups;
    }

    public void groups(List<String> newGroups) {
        groups = newGroups;
    }

    public void update(long newDepthBytes, long newLimitBytes, long newTxDepthBytes, long newDrops) {
        changed |= newDepthBytes != depthBytes
                || newLimitBytes != limitBytes
                || newTxDepthBytes != txDepthBytes
                || newDrops != drops;
        depthBytes = newDepthBytes;
        limitBytes = newLimitBytes;
        txDepthBytes = newTxDepthBytes;
        drops = newDrops;
    }

    /** Returns whether a figure has changed since the last call. */
    public boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    public long depthBytes() {
        return depthBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }

    public long txDepthBytes() {
        return txDepthBytes;
    }

    public long drops() {
        return drops;
    }

    public SocketSample snapshot(long timeNs) {
        return new SocketSample(timeNs, identity, groups, depthBytes, limitBytes, txDepthBytes, drops);
    }
}
