package org.naklab.lab.instruments.aeron;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.ThreadLabels;

/**
 * The threads of a media driver that read its sockets, by the names that Aeron gives them. They poll without waiting, so that they are not seen in a call of the kernel that
 * would tell.
 *
 * @param receivers labels of those that read the sockets of receive channels
 * @param senders labels of those that read the sockets of publications
 */
public record DriverThreads(Set<String> receivers, Set<String> senders) {
    /** No threads: the process is no driver, or its threads have names of their own. */
    public static final DriverThreads NONE = new DriverThreads(Set.of(), Set.of());

    private static final Pattern RECEIVER = Pattern.compile("(driver-)?receiver");
    private static final Pattern SENDER = Pattern.compile("(driver-)?sender");
    /** A thread that does the work of several, as the driver in C names it; the one in Java puts the directory first. */
    private static final Pattern COMBINED = Pattern.compile("\\[?(sender|conductor|driver-cond.*)\\W.*");

    public DriverThreads {
        receivers = Set.copyOf(receivers);
        senders = Set.copyOf(senders);
    }

    /**
     * Finds the threads.
     *
     * @param threads that run now
     * @param directory as the driver was given it
     */
    public static DriverThreads find(List<ProcessThreads.NamedThread> threads, String directory, ThreadLabels labels) {
        String combined = ProcessThreads.kept(directory + " [");
        Set<String> receivers = new TreeSet<>();
        Set<String> senders = new TreeSet<>();
        for (ProcessThreads.NamedThread thread : threads) {
            boolean isCombined =
                    COMBINED.matcher(thread.name()).matches() || thread.name().equals(combined);
            if (isCombined || RECEIVER.matcher(thread.name()).matches()) {
                receivers.add(labels.of(thread.tid(), thread.name()));
            }
            if (isCombined || SENDER.matcher(thread.name()).matches()) {
                senders.add(labels.of(thread.tid(), thread.name()));
            }
        }
        return new DriverThreads(receivers, senders);
    }

    /** Returns all of them. */
    public Set<String> all() {
        Set<String> all = new TreeSet<>(receivers);
        all.addAll(senders);
        return all;
    }
}
