package org.naklab.lab.instruments.kernel.datagrams;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Knows which threads take the datagrams of each socket, as the kernel saw them do it. Thread-safe. */
public final class SocketReceipts {
    /** A thread that has not received for so long, while others have, is no reader any more: it may have emptied the socket once at the start. */
    private static final long LATELY_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_SOCKETS = 4_096;

    private final Map<Long, Map<String, Long>> byInode = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Map<String, Long>> eldest) {
            return size() > MAX_SOCKETS;
        }
    };

    /**
     * Takes what a thread has done.
     *
     * @param inode of the socket
     * @param thread label of the thread
     * @param lastNs when it took the last datagram, ns
     */
    public synchronized void onReceipts(long inode, String thread, long lastNs) {
        Map<String, Long> threads = byInode.computeIfAbsent(inode, socket -> new HashMap<>());
        threads.put(thread, lastNs);
        threads.values().removeIf(otherNs -> lastNs - otherNs > LATELY_NS);
    }

    /** Returns the threads that have lately taken datagrams from a socket; empty if none has. */
    public synchronized Set<String> of(long inode) {
        return byInode.getOrDefault(inode, Map.of()).keySet().stream().collect(Collectors.toUnmodifiableSet());
    }
}
