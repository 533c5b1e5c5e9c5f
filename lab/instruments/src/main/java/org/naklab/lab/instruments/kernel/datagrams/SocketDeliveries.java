package org.naklab.lab.instruments.kernel.datagrams;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the datagrams that each socket of a port got, in the network namespaces of the receivers. Thread-safe. */
public final class SocketDeliveries {
    private final Set<Long> namespaces;
    private final Map<Long, Long> byInode = new ConcurrentHashMap<>();

    /** @param namespaces inodes of the network namespaces */
    public SocketDeliveries(Set<Long> namespaces) {
        this.namespaces = Set.copyOf(namespaces);
    }

    /**
     * Takes what a socket has got so far.
     *
     * @param inode of the socket
     * @param netns inode of its network namespace
     */
    public void onDeliveries(long inode, long netns, long datagrams) {
        if (namespaces.contains(netns)) {
            byInode.put(inode, datagrams);
        }
    }

    /** Returns how many datagrams a socket has got so far; 0 if it is not of the port. */
    public long of(long inode) {
        return byInode.getOrDefault(inode, 0L);
    }
}
