package org.naklab.lab.instruments.threads;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Threads that are looked at by name, by what the kernel keeps of it: that is how they are found from outside, whatever their JVM calls
 * them. More may become known meanwhile. Thread-safe.
 */
public final class WatchedThreads {
    private final Set<String> names = new ConcurrentSkipListSet<>();

    /** Returns the threads of these names, to which others can be added. */
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

    /** Returns the names that are known now. */
    public Set<String> names() {
        return Set.copyOf(names);
    }

    public boolean contains(String name) {
        return names.contains(ProcessThreads.kept(name));
    }

    /** Returns the names for a line that lists the observed threads. */
    @Override
    public String toString() {
        return names.isEmpty() ? "receiving threads as they are found" : String.join(" and ", names);
    }
}
