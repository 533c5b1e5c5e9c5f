package org.naklab.lab.diagnosis.events;

import java.util.AbstractList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.JvmEvent.GcPause;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * The events of a case file, in their order. It finds those of a kind, a process, a thread and a time without a look at the others, and reads each
 * absence once.
 */
public final class EventIndex extends AbstractList<TimelineEvent> implements RandomAccess {
    private final List<TimelineEvent> events;
    private final Map<Key, EventGroup> groups = new HashMap<>();
    private final Map<Drain, Long> peaks = new HashMap<>();
    private final Map<TimelineEvent, ThreadAbsence> absences = Collections.synchronizedMap(new IdentityHashMap<>());
    private final Map<String, Map<Long, List<GcPause.CpuTime>>> cpuTimes = Collections.synchronizedMap(new HashMap<>());
    private final LongAdder handedOut = new LongAdder();

    /** Names what the events of a group have in common; {@code null}: they differ. */
    private record Key(
            TimelineEventType type,
            @Nullable String process,
            @Nullable String thread) {}

    /** Names the rise of a socket's depth that a {@link TimelineEventType#SOCKET_DRAINED} ended. */
    private record Drain(String process, long beganNs, long inode) {}

    private EventIndex(List<TimelineEvent> events) {
        this.events = events.stream().map(EventIndex::known).toList();
        this.events.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Drained.class))
                .forEach(drained -> peaks.putIfAbsent(
                        new Drain(drained.process(), drained.beganNs(), drained.inode()),
                        drained.depth().peakNs()));
        Map<Key, EventGroup.Builder> builders = new HashMap<>();
        for (TimelineEvent event : this.events) {
            Interval span =
                    EventGroup.span(event, event instanceof SocketEvent.DepthRise rise ? peakNs(rise) : event.timeNs());
            for (Key key : List.of(
                    new Key(event.type(), null, null),
                    new Key(event.type(), event.process(), null),
                    new Key(event.type(), event.process(), event.thread()))) {
                builders.computeIfAbsent(key, absent -> new EventGroup.Builder(handedOut))
                        .add(event, span);
            }
        }
        builders.forEach((key, builder) -> groups.put(key, builder.build()));
    }

    /** An event of a version that told more is one of its kind. */
    private static TimelineEvent known(TimelineEvent event) {
        Class<? extends TimelineEvent> form = event.type().form();
        return form == null
                ? event
                : event.as(form).map(TimelineEvent.class::cast).orElse(event);
    }

    /** Indexes events, unless they are. */
    public static EventIndex of(List<TimelineEvent> events) {
        return events instanceof EventIndex index ? index : new EventIndex(events);
    }

    @Override
    public TimelineEvent get(int position) {
        handedOut.increment();
        return events.get(position);
    }

    @Override
    public int size() {
        return events.size();
    }

    public EventGroup group(TimelineEventType type) {
        return group(new Key(type, null, null));
    }

    public EventGroup group(TimelineEventType type, String process) {
        return group(new Key(type, process, null));
    }

    public EventGroup group(TimelineEventType type, String process, String thread) {
        return group(new Key(type, process, thread));
    }

    private EventGroup group(Key key) {
        return groups.getOrDefault(key, EventGroup.NONE);
    }

    /**
     * Reads an absence; the second time, it returns the same.
     *
     * @param event a {@link TimelineEventType#THREAD_ABSENT} of this index
     */
    public ThreadAbsence absence(TimelineEvent event) {
        return absences.computeIfAbsent(event, ThreadAbsence::of);
    }

    /** Returns the CPU times of the collections of garbage of a process by the number of the collection. */
    public Map<Long, List<GcPause.CpuTime>> cpuTimes(String ofProcess) {
        return cpuTimes.computeIfAbsent(
                ofProcess, process -> group(TimelineEventType.GC_CPU_TIME, process).all().stream()
                        .flatMap(TimelineEvent.only(GcPause.CpuTime.class))
                        .collect(Collectors.groupingBy(GcPause.CpuTime::gcId)));
    }

    /** Returns when a socket whose depth rose was deepest, as reported when it had drained; when it began to rise if nobody reported that. */
    public long peakNs(SocketEvent.DepthRise rise) {
        return peaks.getOrDefault(new Drain(rise.process(), rise.timeNs(), rise.inode()), rise.timeNs());
    }

    /** Returns how many events were handed out until now: the measure of what a diagnosis costs. */
    public long handedOut() {
        return handedOut.sum();
    }

    /** Returns how many absences were read until now. */
    public int absencesRead() {
        return absences.size();
    }
}
