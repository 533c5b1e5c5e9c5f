package org.naklab.lab.instruments.threads;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives each thread of a process a label of its own, so that its events are not taken for another thread's: its name, or its name and id if an earlier
 * thread has that name already, as all threads of many native programs do. Thread-safe.
 */
public final class ThreadLabels {
    private final Map<ProcessThreads.NamedThread, String> labels = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    /** Creates labels for the threads that run now, those with the lowest ids first. */
    public static ThreadLabels ofProcess(long pid) {
        ThreadLabels labels = new ThreadLabels();
        new ProcessThreads(pid)
                .list().stream()
                        .sorted(Comparator.comparingInt(ProcessThreads.NamedThread::tid))
                        .forEach(thread -> labels.of(thread.tid(), thread.name()));
        return labels;
    }

    /**
     * Returns the label of a thread that has one. A thread in a container has another id there.
     *
     * @param name as the kernel has it
     */
    public synchronized Optional<String> known(long tid, String name) {
        return Optional.ofNullable(labels.get(new ProcessThreads.NamedThread((int) tid, name)));
    }

    /** Returns the name that the kernel has of the thread with a label; the label itself if there is no such thread. */
    synchronized String nameOf(String label) {
        return labels.entrySet().stream()
                .filter(entry -> entry.getValue().equals(label))
                .map(entry -> entry.getKey().name())
                .findFirst()
                .orElse(label);
    }

    /**
     * Returns the label, which stays the same.
     *
     * @param name as the kernel has it
     */
    public synchronized String of(int tid, String name) {
        return labels.computeIfAbsent(
                new ProcessThreads.NamedThread(tid, name), thread -> taken.add(name) ? name : name + "#" + tid);
    }
}
