package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.naklab.lab.core.Printable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linking.LibraryFunctions;
import org.naklab.lab.instruments.linking.LibraryFunctions.Place;

/**
 * Looks at the threads of a process at times, and notes the library function that each of them waits in, from {@code /proc/PID/task/TID/syscall}: number
 * and arguments of its system call, stack pointer and program counter. A thread that runs has no known place.
 */
final class WaitSampler {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path tasks;
    private final LibraryFunctions functions;
    private final Map<Integer, ThreadSamples> threads = new TreeMap<>();
    private long spentNs;

    /** Tells what was seen of a thread; times are CLOCK_MONOTONIC in ns. */
    static final class ThreadSamples {
        private final String name;
        private final long firstNs;
        private final Map<Place, Long> waitsNs = new HashMap<>();
        private long lastNs;

        private ThreadSamples(String name, long firstNs) {
            this.name = name;
            this.firstNs = firstNs;
            lastNs = firstNs;
        }

        String name() {
            return name;
        }

        long lengthNs() {
            return lastNs - firstNs;
        }

        /** Returns the time in each function: of a sample, the time since the one before. */
        Map<Place, Long> waitsNs() {
            return waitsNs;
        }
    }

    WaitSampler(long pid, LibraryFunctions functions) {
        tasks = ProcPaths.of(pid, "task");
        this.functions = functions;
    }

    /** Looks once. Returns false if the process is gone. */
    boolean look() {
        long beginNs = THREADS.getCurrentThreadCpuTime();
        boolean isThere = lookAtAll();
        spentNs += THREADS.getCurrentThreadCpuTime() - beginNs;
        return isThere;
    }

    /** Returns how long all looks had a processor, ns. */
    long spentNs() {
        return spentNs;
    }

    /** Forgets the time in a function until now. */
    void restart(Place place) {
        threads.values().forEach(thread -> thread.waitsNs.remove(place));
    }

    private boolean lookAtAll() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                look(task);
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    private void look(Path task) {
        try {
            int tid = Integer.parseInt(String.valueOf(task.getFileName()));
            String[] words = Files.readString(task.resolve("syscall")).strip().split(" ", -1);
            long nowNs = System.nanoTime();
            ThreadSamples thread = threads.get(tid);
            if (thread == null) {
                threads.put(
                        tid,
                        new ThreadSamples(
                                Printable.of(
                                        Files.readString(task.resolve("comm")).strip()),
                                nowNs));
                return;
            }
            long sinceNs = nowNs - thread.lastNs;
            thread.lastNs = nowNs;
            place(words).ifPresent(place -> thread.waitsNs.merge(place, sinceNs, Long::sum));
        } catch (IOException ended) {
            // A thread that has ended keeps what was seen of it.
            return;
        }
    }

    private Optional<Place> place(String[] words) {
        if (words.length < 2) {
            return Optional.empty();
        }
        return functions.innermost(number(words[words.length - 1]), number(words[words.length - 2]));
    }

    private static long number(String word) {
        return Long.parseUnsignedLong(word.substring(2), 16);
    }

    /** Returns what was seen of each thread, by its number. */
    Map<Integer, ThreadSamples> threads() {
        return threads;
    }

    /** Returns the functions in which the threads waited longest, all threads together. */
    List<Place> longest(int count) {
        Map<Place, Long> sums = new HashMap<>();
        threads.values().forEach(thread -> thread.waitsNs.forEach((place, ns) -> sums.merge(place, ns, Long::sum)));
        return sums.entrySet().stream()
                .sorted(Map.Entry.<Place, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().function().name()))
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }
}
