package org.naklab.lab.instruments.threads;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Threads that are looked at by name, by what the kernel keeps of it: that is how they are found from outside, whatever their JVM calls
 * them. More may become known meanwhile. Thread-safe.
 */
public final class WatchedThreads {
    private final Set<String> names = new ConcurrentSkipListSet<>();

    /** Those of these names, and those that are added. */
    public static WatchedThreads of(String... names) {
        WatchedThreads threads = new WatchedThreads();
        for (String name : names) {
            threads.add(name);
        }
        return threads;
    }

    public void add(String name) {
        names.add(ProcessThreads.kept(name));
    }

    public boolean contains(String name) {
        return names.contains(ProcessThreads.kept(name));
    }

    /** For a line that tells who is looked at. */
    @Override
    public String toString() {
        return names.isEmpty() ? "receiving threads as they are found" : String.join(" and ", names);
    }
}
