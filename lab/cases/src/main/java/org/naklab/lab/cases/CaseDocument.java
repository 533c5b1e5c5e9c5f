package org.naklab.lab.cases;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.CaseFile;
import org.naklab.lab.diagnosis.readings.Reading;

/**
 * {@code case.json}: all that a diagnosis needs beside the events and the readings over time.
 *
 * @param counters what was counted until the end
 */
public record CaseDocument(
        @JsonUnwrapped Origin origin,
        @JsonUnwrapped Subject subject,
        @JsonUnwrapped Clock clock,
        Counters counters,
        @JsonUnwrapped Limits limits) {
    /**
     * Tells what wrote it.
     *
     * @param format version of the format of the case; see {@link #FORMAT}
     * @param program version of the program that recorded the case
     * @param kind tells how the case is judged
     */
    public record Origin(int format, String program, Kind kind) {}

    /**
     * Names the process and the ports of its feed.
     *
     * @param suspect process that is looked into
     * @param ports UDP ports to diagnose, the feed's first
     */
    public record Subject(String suspect, List<Integer> ports) {
        public Subject {
            ports = List.copyOf(ports);
        }
    }

    /**
     * Contains the counted time, and the offset of its clock.
     *
     * @param counted time that counts, CLOCK_MONOTONIC, ns
     * @param epochOffsetNs what to add to a time of the case for nanoseconds since 1970
     */
    public record Clock(Interval counted, long epochOffsetNs) {}

    /**
     * Contains what the instruments did not see.
     *
     * @param problems what else is wrong, each one line
     * @param blind what could not be seen, each one line
     */
    public record Limits(List<String> problems, List<String> blind) {
        public Limits {
            problems = List.copyOf(problems);
            blind = List.copyOf(blind);
        }
    }

    /** The newest format, which this version writes. It reads all from 1 on. */
    public static final int FORMAT = 1;

    /** Name of the file in the directory of the case. */
    public static final String NAME = "case.json";

    /** Tells what was observed. */
    public enum Kind {
        /** All processes of the replica: the suspect and its control group. */
        @JsonProperty("run")
        RUN,
        /** One process: each of its ports is diagnosed by itself, and only its own stalls count. */
        @JsonProperty("watch")
        WATCH
    }

    /**
     * Counters at the end.
     *
     * @param receivers of the feed, the suspect first
     * @param maxima the largest reading of each series of samples, by its name
     * @param silentSeries names of the series that were read and whose readings never changed in the counted time
     */
    public record Counters(List<Receiver> receivers, Map<SeriesName, Long> maxima, List<SeriesName> silentSeries) {
        /**
         * Creates the counters of a case that is recorded now.
         *
         * @param readings of the series that were kept over time
         */
        public static Counters of(
                List<Receiver> receivers, Map<SeriesName, Long> maxima, Map<SeriesName, List<Reading>> readings) {
            List<SeriesName> silent = readings.entrySet().stream()
                    .filter(series -> series.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            return new Counters(receivers, maxima, silent);
        }

        public Counters {
            receivers = List.copyOf(receivers);
            maxima = Map.copyOf(maxima);
            silentSeries = List.copyOf(silentSeries);
        }
    }

    /**
     * Counters of a receiver.
     *
     * @param counters as the diagnosis takes them
     * @param drops of its sockets, by reason
     * @param complete whether the end of the feed was seen, and everything before it
     * @param journaled events; -1: it keeps no journal
     */
    public record Receiver(CaseFile.Receiver counters, SocketDrops drops, boolean complete, long journaled) {}

    /**
     * Creates the document of a case that is recorded now.
     *
     * @param epochOffsetNs what to add to a time of the case for nanoseconds since 1970
     */
    public static CaseDocument recorded(
            Kind kind,
            String suspect,
            List<Integer> ports,
            Interval counted,
            long epochOffsetNs,
            Counters counters,
            List<String> problems,
            List<String> blind) {
        String program = String.valueOf(CaseDocument.class.getPackage().getImplementationVersion());
        return new CaseDocument(
                new CaseDocument.Origin(FORMAT, program, kind),
                new CaseDocument.Subject(suspect, ports),
                new CaseDocument.Clock(counted, epochOffsetNs),
                counters,
                new CaseDocument.Limits(problems, blind));
    }
}
