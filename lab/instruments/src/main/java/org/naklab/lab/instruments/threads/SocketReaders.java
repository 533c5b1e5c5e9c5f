package org.naklab.lab.instruments.threads;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;

/**
 * Knows which threads of a process read which of its UDP sockets: those that the kernel saw taking datagrams, and where it does not tell, those that were seen waiting for the socket. Then a
 * thread that never waits for its socket is not found, and one that waits for another thread's sake is.
 */
public final class SocketReaders implements Instrument {
    private static final int FIRST_LOOKS = 40;
    private static final long FIRST_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOOK_PERIOD_NS = 1_000 * MILLISECOND_NS;

    private final long pid;
    private final ReceivingThreads receiving;
    private final Supplier<Set<Long>> inodes;
    private final LongFunction<Set<String>> receivers;
    private final ThreadLabels labels;
    private final WatchedThreads watched = WatchedThreads.of();
    private final Map<Long, Set<String>> readers = new ConcurrentHashMap<>();
    /** The only thread of the process at the last look; empty if it has several. */
    private volatile Set<String> onlyThread = Set.of();

    private long nextLookNs = System.nanoTime();

    /**
     * Creates a search for the threads that read UDP sockets.
     *
     * @param inodes of the process's UDP sockets, as they are now
     * @param receivers labels of the threads that were seen taking datagrams from a socket, by its inode; empty if that is not known
     * @param labels of the threads
     */
    public SocketReaders(
            long pid, Supplier<Set<Long>> inodes, LongFunction<Set<String>> receivers, ThreadLabels labels) {
        this.pid = pid;
        this.receivers = receivers;
        receiving = new ReceivingThreads(pid);
        this.inodes = inodes;
        this.labels = labels;
    }

    /** Looks for a fifth of a second, or until each socket has a reader. */
    public void lookAtFirst() {
        for (int look = 0; look < FIRST_LOOKS && !readers.keySet().containsAll(inodes.get()); look++) {
            if (look > 0) {
                LockSupport.parkNanos(FIRST_PERIOD_NS);
            }
            look();
        }
    }

    /** Returns the names of all threads that were found so far and will be. */
    public WatchedThreads watched() {
        return watched;
    }

    /**
     * Returns the labels of the threads that read a socket. If none is known, as of a thread that never waits, and the process has
     * only one thread, it is that one. Any thread.
     */
    public Set<String> of(long inode) {
        Set<String> seen = receivers.apply(inode);
        return seen.isEmpty() ? readers.getOrDefault(inode, onlyThread) : seen;
    }

    /** Returns the labels of all threads that read a socket, or did; any thread. */
    public Set<String> all() {
        Set<String> all = new HashSet<>();
        readers.keySet().forEach(inode -> all.addAll(of(inode)));
        inodes.get().forEach(inode -> all.addAll(receivers.apply(inode)));
        return all;
    }

    @Override
    public String title() {
        return "what looks for the readers of sockets";
    }

    @Override
    public String describe() {
        return "which threads of " + pid + " wait for a socket, once a second by /proc/" + pid + "/task/TID/syscall";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {}

    @Override
    public void refresh(long nowNs) {
        if (nowNs - nextLookNs >= 0) {
            nextLookNs = nowNs + LOOK_PERIOD_NS;
            look();
        }
    }

    private void look() {
        try {
            List<ProcessThreads.NamedThread> threads = new ProcessThreads(pid).list();
            inodes.get().forEach(inode -> receivers.apply(inode).forEach(label -> watched.add(labels.nameOf(label))));
            onlyThread = threads.size() == 1
                    ? Set.of(labels.of(threads.get(0).tid(), threads.get(0).name()))
                    : Set.of();
            receiving
                    .bySocket(inodes.get())
                    .forEach((inode, waiting) -> waiting.forEach(thread -> {
                        watched.add(thread.name());
                        readers.computeIfAbsent(inode, key -> ConcurrentHashMap.newKeySet())
                                .add(labels.of(thread.tid(), thread.name()));
                    }));
        } catch (DetectException e) {
            throw new DetectException("which threads receive is unknown: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {}
}
