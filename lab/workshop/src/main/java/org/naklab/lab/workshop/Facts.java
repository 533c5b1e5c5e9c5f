package org.naklab.lab.workshop;

import java.util.List;
import java.util.Map;

/**
 * {@code facts.json}: what a trainee's case has beside its two tables. Times of a case are nanoseconds since its begin.
 *
 * @param suspect process that is looked into
 * @param ports of the feed and of its other streams
 * @param lengthNs of the observed time
 * @param receivers with their counters
 * @param maxima the largest reading of each series
 */
public record Facts(
        String suspect, List<Integer> ports, long lengthNs, List<Receiver> receivers, Map<String, Long> maxima) {
    /** Name of the file. */
    public static final String NAME = "facts.json";

    /**
     * Counters of one receiver at the end.
     *
     * @param counters by the names that an answer can cite
     */
    public record Receiver(String name, Map<String, Long> counters) {
        public Receiver {
            counters = Map.copyOf(counters);
        }
    }

    public Facts {
        ports = List.copyOf(ports);
        receivers = List.copyOf(receivers);
        maxima = Map.copyOf(maxima);
    }
}
