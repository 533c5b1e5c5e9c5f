package org.naklab.lab.instruments.threads;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.agrona.collections.Long2LongHashMap;
import org.jspecify.annotations.Nullable;
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
        Set<Integer> unattended = descriptors(inodes);
        Set<Integer> sockets = Set.copyOf(unattended);
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
        Map<Integer, Long> sockets = new HashMap<>();
        @Nullable Long2LongHashMap open = new ProcessSockets(pid).descriptorsByInode(descriptor -> false);
        if (open != null) {
            inodes.stream()
                    .filter(inode -> open.get((long) inode) != ProcessSockets.MISSING)
                    .forEach(inode -> sockets.put((int) open.get((long) inode), inode));
        }
        Map<Long, Set<ProcessThreads.NamedThread>> readers = new HashMap<>();
        look(
                sockets.keySet(),
                (thread, awaited) -> awaited.forEach(descriptor -> readers.computeIfAbsent(
                                Objects.requireNonNull(sockets.get(descriptor)), inode -> new HashSet<>())
                        .add(thread)));
        return readers;
    }

    private void look(Set<Integer> sockets, BiConsumer<ProcessThreads.NamedThread, Set<Integer>> found) {
        for (ProcessThreads.NamedThread thread : threads.list()) {
            Set<Integer> awaited = new HashSet<>(BlockingSyscall.awaitedDescriptors(pid, thread.tid()));
            awaited.retainAll(sockets);
            if (!awaited.isEmpty()) {
                found.accept(thread, awaited);
            }
        }
    }

    private Set<Integer> descriptors(Set<Long> inodes) {
        @Nullable Long2LongHashMap open = new ProcessSockets(pid).descriptorsByInode(descriptor -> false);
        Set<Integer> descriptors = new HashSet<>();
        if (open != null) {
            inodes.stream()
                    .mapToLong(open::get)
                    .filter(descriptor -> descriptor != ProcessSockets.MISSING)
                    .forEach(descriptor -> descriptors.add((int) descriptor));
        }
        return descriptors;
    }
}
