package org.naklab.lab.scenarios.inspection;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells what a process holds at one time.
 *
 * @param isStopped whether a signal has stopped it
 * @param anonymousBytes resident memory that is not of files: heap, stacks, direct buffers
 * @param journalBytes resident pages of mapped files of the journal; 0 for a process without a journal
 * @param descriptors number of open descriptors by what they lead to: the family of a socket, the name of a file without its numbers
 * @param threads number of threads by name, without those that the JVM starts and ends as it needs them
 * @param affinity the CPUs that each thread may run on, by the id of the thread
 * @param children number of living child processes by name
 */
public record ProcessReading(
        boolean isStopped,
        long anonymousBytes,
        long journalBytes,
        Map<String, Integer> descriptors,
        Map<String, Integer> threads,
        Map<Long, String> affinity,
        Map<String, Integer> children) {
    public ProcessReading {
        descriptors = Map.copyOf(descriptors);
        threads = Map.copyOf(threads);
        affinity = Map.copyOf(affinity);
        children = Map.copyOf(children);
    }

    /** Returns true if the process holds a descriptor, a thread or a child process that it did not hold before. */
    boolean holdsMoreThan(ProcessReading earlier) {
        return !more(earlier.descriptors, descriptors).isEmpty()
                || !more(earlier.threads, threads).isEmpty()
                || !more(earlier.children, children).isEmpty();
    }

    /** Returns the sum of counts. */
    public static int count(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns what there is more of in {@code later} than in {@code earlier}, with how many more. */
    public static Map<String, Integer> more(Map<String, Integer> earlier, Map<String, Integer> later) {
        return later.entrySet().stream()
                .filter(entry -> entry.getValue() > earlier.getOrDefault(entry.getKey(), 0))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> entry.getValue() - earlier.getOrDefault(entry.getKey(), 0),
                        (first, second) -> first,
                        TreeMap::new));
    }
}
