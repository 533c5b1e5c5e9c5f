package org.naklab.lab.diagnosis.events;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Events of one kind, in their order, with an interval tree: sorted by their begin, each half of the sorted events knows the latest end in it. */
public final class EventGroup {
    static final EventGroup NONE = new Builder(new LongAdder()).build();

    private final List<TimelineEvent> events;
    private final LongAdder handedOut;
    /** Positions in the list, by begin. */
    private final int[] sorted;

    private final long[] beginsNs;
    private final long[] endsNs;
    /** At the middle of each half: the latest end in it. */
    private final long[] latestEndsNs;

    private EventGroup(List<TimelineEvent> events, List<Interval> spans, LongAdder handedOut) {
        this.events = List.copyOf(events);
        this.handedOut = handedOut;
        sorted = IntStream.range(0, spans.size())
                .boxed()
                .sorted(Comparator.comparingLong(position -> spans.get(position).beginNs()))
                .mapToInt(Integer::intValue)
                .toArray();
        beginsNs = Arrays.stream(sorted)
                .mapToLong(position -> spans.get(position).beginNs())
                .toArray();
        endsNs = Arrays.stream(sorted)
                .mapToLong(position -> spans.get(position).endNs())
                .toArray();
        latestEndsNs = new long[sorted.length];
        latestEnd(0, sorted.length);
    }

    /** Collects the events of a group. */
    static final class Builder {
        private final List<TimelineEvent> events = new ArrayList<>();
        private final List<Interval> spans = new ArrayList<>();
        private final LongAdder handedOut;

        Builder(LongAdder handedOut) {
            this.handedOut = handedOut;
        }

        void add(TimelineEvent event, Interval span) {
            events.add(event);
            spans.add(span);
        }

        EventGroup build() {
            return new EventGroup(events, spans, handedOut);
        }
    }

    /** Returns the shortest span with all times of an event: when it is reported, begins and ends, and when a socket's depth grew and was largest. */
    static Interval span(TimelineEvent event, long peakNs) {
        Interval lasting = event.interval();
        long grownNs = event instanceof SocketEvent.DepthRise rise ? rise.passedNs() : event.timeNs();
        return new Interval(
                Math.min(
                        Math.min(event.timeNs(), lasting.beginNs()),
                        Math.min(lasting.endNs(), Math.min(grownNs, peakNs))),
                Math.max(
                        Math.max(event.timeNs(), lasting.beginNs()),
                        Math.max(lasting.endNs(), Math.max(grownNs, peakNs))));
    }

    private long latestEnd(int from, int to) {
        if (from >= to) {
            return Long.MIN_VALUE;
        }
        int middle = (from + to) >>> 1;
        latestEndsNs[middle] = Math.max(endsNs[middle], Math.max(latestEnd(from, middle), latestEnd(middle + 1, to)));
        return latestEndsNs[middle];
    }

    /** Returns all events. */
    public List<TimelineEvent> all() {
        handedOut.add(events.size());
        return events;
    }

    public TimelineEvent get(int position) {
        return events.get(position);
    }

    public int size() {
        return events.size();
    }

    /** Returns the events of which some time lies in an interval, both ends included, in their order. */
    public List<TimelineEvent> near(Interval interval) {
        return Arrays.stream(positionsNear(interval)).mapToObj(events::get).toList();
    }

    /** Returns the positions of these events, ascending. */
    public int[] positionsNear(Interval interval) {
        IntStream.Builder found = IntStream.builder();
        collect(0, sorted.length, interval, found);
        int[] positions = found.build().sorted().toArray();
        handedOut.add(positions.length);
        return positions;
    }

    private void collect(int from, int to, Interval interval, IntStream.Builder found) {
        int middle = (from + to) >>> 1;
        if (from >= to || latestEndsNs[middle] < interval.beginNs()) {
            return;
        }
        collect(from, middle, interval, found);
        if (beginsNs[middle] <= interval.endNs()) {
            if (endsNs[middle] >= interval.beginNs()) {
                found.add(sorted[middle]);
            }
            collect(middle + 1, to, interval, found);
        }
    }
}
