package org.naklab.lab.instruments.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.BlockingSyscall;
import org.naklab.lab.instruments.sockets.ProcessSockets;

/**
 * Finds the threads of a process that receive UDP: those seen waiting for one of its sockets in
 * {@code /proc/PID/task/TID/syscall}. A thread that busy-spins is never seen waiting, and no thread waits for a socket that
 * only sends.
 */
public final class ReceivingThreads {
    private static final int LOOKS = 40;
    private static final long LOOK_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long pid;
    private final ProcessThreads threads;

    /**
     * The threads that were found.
     *
     * @param isComplete whether somebody waits for every socket; otherwise there may be others that receive
     */
    public record Found(List<ProcessThreads.NamedThread> threads, boolean isComplete) {
        public static final Found NONE = new Found(List.of(), false);

        public Found {
            threads = List.copyOf(threads);
        }
    }

    public ReceivingThreads(long pid) {
        this.pid = pid;
        threads = new ProcessThreads(pid);
    }

    /**
     * Looks for a fifth of a second.
     *
     * @param inodes of the process's UDP sockets
     * @throws DetectException the threads may not be listed
     */
    public Found find(Set<Long> inodes) {
        Map<Integer, Long> sockets = descriptors(inodes);
        Set<Long> unattended = new HashSet<>(sockets.values());
        TreeMap<Integer, ProcessThreads.NamedThread> receivers = new TreeMap<>();
        for (int look = 0; look < LOOKS && !unattended.isEmpty(); look++) {
            if (look > 0) {
                LockSupport.parkNanos(LOOK_PERIOD_NS);
            }
            look(sockets, (thread, awaited) -> {
                receivers.put(thread.tid(), thread);
                unattended.removeAll(awaited);
            });
        }
        return new Found(new ArrayList<>(receivers.values()), !sockets.isEmpty() && unattended.isEmpty());
    }

    /** Returns the threads that wait at this moment. */
    List<ProcessThreads.NamedThread> look(Set<Long> inodes) {
        List<ProcessThreads.NamedThread> receivers = new ArrayList<>();
        look(descriptors(inodes), (thread, awaited) -> receivers.add(thread));
        return receivers;
    }

    /**
     * Returns the threads that wait at this moment, by the sockets that they wait for.
     *
     * @param inodes of the process's UDP sockets
     */
    public Map<Long, Set<ProcessThreads.NamedThread>> bySocket(Set<Long> inodes) {
        Map<Long, Set<ProcessThreads.NamedThread>> readers = new HashMap<>();
        look(
                descriptors(inodes),
                (thread, awaited) -> awaited.forEach(inode ->
                        readers.computeIfAbsent(inode, key -> new HashSet<>()).add(thread)));
        return readers;
    }

    /** @param sockets inodes by descriptor */
    private void look(Map<Integer, Long> sockets, BiConsumer<ProcessThreads.NamedThread, Set<Long>> found) {
        for (ProcessThreads.NamedThread thread : threads.list()) {
            Set<Long> awaited = new HashSet<>();
            for (int descriptor : BlockingSyscall.awaitedDescriptors(pid, thread.tid())) {
                Long inode = sockets.get(descriptor);
                if (inode != null) {
                    awaited.add(inode);
                }
            }
            if (!awaited.isEmpty()) {
                found.accept(thread, awaited);
            }
        }
    }

    private Map<Integer, Long> descriptors(Set<Long> inodes) {
        Map<Integer, Long> descriptors = new HashMap<>(new ProcessSockets(pid).inodesByDescriptor());
        descriptors.values().retainAll(inodes);
        return descriptors;
    }
}
