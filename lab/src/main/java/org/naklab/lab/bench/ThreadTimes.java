package org.naklab.lab.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Processor time of each thread of a process so far, in nanoseconds, from {@code /proc/PID/task/TID/schedstat}. */
record ThreadTimes(Map<Path, Long> ns) {
    static ThreadTimes of(long pid) throws IOException {
        Map<Path, Long> ns = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                ns.put(thread, runNs(thread));
            }
        }
        return new ThreadTimes(Map.copyOf(ns));
    }

    /** The one thread of that name. */
    static Path find(long pid, String name) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (nameOf(thread).equals(name)) {
                    return thread;
                }
            }
        }
        throw new IllegalStateException("process " + pid + " has no thread " + name);
    }

    /** Of one thread. */
    static long runNs(Path thread) throws IOException {
        String times = Files.readString(thread.resolve("schedstat"));
        return Long.parseLong(times.substring(0, times.indexOf(' ')));
    }

    /** Since an earlier reading, by the kernel's name of the thread; those of one name together. */
    Map<String, Long> since(ThreadTimes earlier) throws IOException {
        Map<String, Long> byName = new HashMap<>();
        for (Map.Entry<Path, Long> thread : ns.entrySet()) {
            long tookNs = thread.getValue() - earlier.ns.getOrDefault(thread.getKey(), 0L);
            byName.merge(nameOf(thread.getKey()), tookNs, Long::sum);
        }
        return byName;
    }

    private static String nameOf(Path thread) throws IOException {
        return Files.readString(thread.resolve("comm")).strip();
    }
}
