package org.naklab.lab.diagnosis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.events.EventIndex;
import org.naklab.lab.diagnosis.readings.CpuQuota;
import org.naklab.lab.diagnosis.readings.Reading;

/**
 * The input of a diagnosis: the observations of the instruments, and the final counters.
 *
 * @param suspect the process that is looked into, the market data service
 * @param feedPort the UDP port of the feed
 * @param counted what happened in it counts; before it the processes warm up, after it they close
 * @param events of all processes, by time
 * @param receivers the subscribers' counters, the suspect's and the control group's
 * @param maxima the largest reading of each series of samples, by its name
 * @param readings of the series that were kept over time, by name, each by time; a series has only the readings that differ from the one before
 * @param problems what else is wrong with the run, each one line: events that are missing for good, processes that died, sockets that
 *     nobody saw. No cause explains them, but a run that has one is not clean
 */
public record CaseFile(
        String suspect,
        int feedPort,
        Interval counted,
        List<TimelineEvent> events,
        List<Receiver> receivers,
        Map<SeriesName, Long> maxima,
        Map<SeriesName, List<Reading>> readings,
        List<String> problems) {
    /**
     * A subscriber's counters at the end.
     */
    public record Receiver(
            String name,
            @JsonUnwrapped Events events,
            @JsonUnwrapped Losses losses) {
        /** Counts the events. */
        public record Events(long received, long missing) {}

        /**
         * Counts the losses, by where they arose.
         *
         * @param naksSent -1: it sends no NAKs, or nobody counted them
         * @param datagramsDropped by its sockets, for whatever reason
         * @param ringFull times that its ring had no room, after the warm-up; -1: nobody has counted them yet
         * @param overruns datagrams that its driver's window had no room for
         * @param lostOnTheWayBytes of its losses, at least so many were in no datagram that its sockets dropped
         */
        public record Losses(
                long naksSent, long datagramsDropped, long ringFull, long overruns, long lostOnTheWayBytes) {}
    }

    public CaseFile {
        events = EventIndex.of(events);
        receivers = List.copyOf(receivers);
        maxima = Map.copyOf(maxima);
        readings = Map.copyOf(readings);
        problems = List.copyOf(problems);
    }

    /** Creates a case file without readings over time. */
    public CaseFile(
            String suspect,
            int feedPort,
            Interval counted,
            List<TimelineEvent> events,
            List<Receiver> receivers,
            Map<SeriesName, Long> maxima,
            List<String> problems) {
        this(suspect, feedPort, counted, events, receivers, maxima, Map.of(), problems);
    }

    /** Returns whether NAKs of a receiver would have been seen. */
    boolean areNaksCounted(String process) {
        return receiver(process).losses().naksSent() >= 0;
    }

    Receiver receiver(String name) {
        return receivers.stream()
                .filter(receiver -> receiver.name().equals(name))
                .findFirst()
                .orElse(new Receiver(name, new Receiver.Events(0, 0), new Receiver.Losses(0, 0, 0, 0, 0)));
    }

    EventIndex index() {
        return EventIndex.of(events);
    }

    /** Returns the events of one process and type by time, including those before the counted window. */
    List<TimelineEvent> of(String process, TimelineEventType type) {
        return index().group(type, process).all();
    }

    List<TimelineEvent> of(TimelineEventType type) {
        return index().group(type).all();
    }

    /** Returns the events of one type of which some time lies in an interval, both ends included. */
    List<TimelineEvent> near(Interval interval, TimelineEventType type) {
        return index().group(type).near(interval);
    }

    /** Returns the events of one process and type of which some time lies in an interval, both ends included. */
    List<TimelineEvent> near(Interval interval, String process, TimelineEventType type) {
        return index().group(type, process).near(interval);
    }

    /** Returns the events of one kind by time, including those before the counted window. */
    <E extends TimelineEvent> List<E> of(Class<E> kind) {
        return all(of(TimelineEventType.of(kind)), kind);
    }

    /** Returns the events of one process and kind by time, including those before the counted window. */
    <E extends TimelineEvent> List<E> of(String process, Class<E> kind) {
        return all(of(process, TimelineEventType.of(kind)), kind);
    }

    /** Returns the events of one kind of which some time lies in an interval, both ends included. */
    <E extends TimelineEvent> List<E> near(Interval interval, Class<E> kind) {
        return all(near(interval, TimelineEventType.of(kind)), kind);
    }

    /** Returns the events of one process and kind of which some time lies in an interval, both ends included. */
    <E extends TimelineEvent> List<E> near(Interval interval, String process, Class<E> kind) {
        return all(near(interval, process, TimelineEventType.of(kind)), kind);
    }

    private static <E extends TimelineEvent> List<E> all(List<TimelineEvent> events, Class<E> kind) {
        return events.stream().flatMap(TimelineEvent.only(kind)).toList();
    }

    List<Interval> spans(String process, TimelineEventType type) {
        return spans(of(process, type));
    }

    /** Returns what these events cover: all that covers a part of the interval, and maybe more. */
    List<Interval> spansNear(Interval interval, TimelineEventType type) {
        return spans(near(interval, type));
    }

    /** Returns what these events of one process cover. */
    List<Interval> spansNear(Interval interval, String process, TimelineEventType type) {
        return spans(near(interval, process, type));
    }

    CpuQuota quota(String process) {
        return new CpuQuota(
                of(process, HostEvent.Throttled.class), span -> near(span, process, HostEvent.Throttled.class));
    }

    private static List<Interval> spans(List<TimelineEvent> of) {
        return of.stream().map(TimelineEvent::interval).toList();
    }

    /** Returns the largest reading of a quantity of a process; -1 where nobody read. */
    long maximum(SeriesSource source, String process, String quantity) {
        return maxima.entrySet().stream()
                .filter(entry -> entry.getKey().isOf(source, process)
                        && entry.getKey().quantity().equals(quantity))
                .mapToLong(Map.Entry::getValue)
                .max()
                .orElse(-1);
    }

    /** Returns whether somebody read one of some quantities of a process, or of the machine, even if the readings never changed in the counted window. */
    boolean isRead(SeriesSource source, String process, Set<String> quantities) {
        return Stream.concat(maxima.keySet().stream(), readings.keySet().stream())
                .anyMatch(name -> name.isOf(source, process) && quantities.contains(name.quantity()));
    }
}
