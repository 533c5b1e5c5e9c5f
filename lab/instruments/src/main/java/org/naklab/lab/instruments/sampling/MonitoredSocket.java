package org.naklab.lab.instruments.sampling;

import java.util.List;

/** A UDP socket under observation, and its latest figures. The figures are the sampling thread's. */
public final class MonitoredSocket {
    private final SocketIdentity identity;
    private final int ownersDescriptor;
    private final long cookie;
    private volatile List<String> groups = List.of();
    private volatile boolean isClosed;
    private long depthBytes;
    private long limitBytes = SocketSample.UNKNOWN;
    private long txDepthBytes;
    private long drops;
    private boolean changed = true;

    /** Creates a socket whose figures come from a table. */
    public MonitoredSocket(SocketIdentity identity) {
        this(identity, -1, 0);
    }

    /**
     * Creates a socket whose figures are read through a descriptor of its owner.
     *
     * @param ownersDescriptor one of those that its owner has of it
     * @param cookie the kernel's number of the socket, which no other socket gets
     */
    public MonitoredSocket(SocketIdentity identity, int ownersDescriptor, long cookie) {
        this.identity = identity;
        this.ownersDescriptor = ownersDescriptor;
        this.cookie = cookie;
    }

    public SocketIdentity identity() {
        return identity;
    }

    /** Returns one of the owner's descriptors of the socket. */
    public int ownersDescriptor() {
        return ownersDescriptor;
    }

    public long cookie() {
        return cookie;
    }

    /** Notes that the owner's descriptor is no longer this socket. */
    public void close() {
        isClosed = true;
    }

    /** Returns whether the owner's descriptor was found to be no longer this socket. Any thread. */
    public boolean isClosed() {
        return isClosed;
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
