package org.naklab.lab.instruments.aeron;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.naklab.lab.instruments.threads.ProcessThreads;
import org.naklab.lab.instruments.threads.ThreadLabels;

/**
 * The threads of a media driver that read its sockets, by the names that Aeron gives them: the receiver reads the channels of subscriptions, the sender those of
 * publications. They poll without waiting, so that they are not seen in a call of the kernel that would tell.
 */
public final class DriverThreads {
    /** Dedicated threads, or the combined ones of the driver in C; the one in Java puts the directory first. */
    private static final Pattern NAME = Pattern.compile("(driver-)?(receiver|sender)|\\[?(sender|conductor)\\W.*");

    private DriverThreads() {}

    /**
     * Returns the labels of the threads; none if the driver's threads have names of their own.
     *
     * @param threads that run now
     * @param directory as the driver was given it
     */
    public static Set<String> readers(List<ProcessThreads.NamedThread> threads, String directory, ThreadLabels labels) {
        String combined = ProcessThreads.kept(directory + " [");
        Set<String> readers = new TreeSet<>();
        for (ProcessThreads.NamedThread thread : threads) {
            if (NAME.matcher(thread.name()).matches() || thread.name().equals(combined)) {
                readers.add(labels.of(thread.tid(), thread.name()));
            }
        }
        return readers;
    }
}
