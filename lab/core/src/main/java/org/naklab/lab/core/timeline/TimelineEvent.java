package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something happened. Kinds that are not typed yet are an {@link UntypedEvent}. */
public sealed interface TimelineEvent
        permits CoreShared,
                DatagramEvent,
                HostEvent,
                JvmEvent,
                PageFault,
                ShortWaits,
                SocketEvent,
                SocketEvent.Standstill,
                StreamEvent,
                ThreadAbsence,
                ThreadBusy,
                ThreadEvent,
                ThreadStall,
                UntypedEvent {
    /** The process of what happens on the whole machine. */
    String HOST = "host";

    /** Returns when it happened, CLOCK_MONOTONIC; of something with a length, when it began. A record has a time or an interval. */
    default long timeNs() {
        return interval().beginNs();
    }

    default TimelineEventType type() {
        return TimelineEventType.of(getClass());
    }

    /** Returns the name or pid of the process it happened in. */
    String process();

    /** Returns the name of the thread, empty when not of one thread. */
    default String thread() {
        return "";
    }

    /** Returns figures and names as the file has them; values are strings, booleans, integers or doubles. */
    default Map<String, Object> details() {
        return EventForm.details(this);
    }

    /** Returns what the event covers; without a length, an instant. A record has a time or an interval. */
    default Interval interval() {
        return new Interval(timeNs(), timeNs());
    }

    /** Returns the events that are of a kind, for {@link Stream#flatMap}; also those whose lines have more than the kind knows. */
    static <E extends TimelineEvent> Function<TimelineEvent, Stream<E>> only(Class<E> kind) {
        return event -> event.as(kind).stream();
    }

    /** Returns the event as one of a kind; empty if it is of another kind, or a figure is missing. */
    default <E extends TimelineEvent> Optional<E> as(Class<E> kind) {
        return kind.isInstance(this) ? Optional.of(kind.cast(this)) : Optional.empty();
    }

    static TimelineEvent of(long timeNs, TimelineEventType type, String process, Map<String, Object> details) {
        return of(timeNs, type, process, "", details);
    }

    /** Makes an event of the record of its kind; details that the record does not have keep it untyped. */
    @JsonCreator
    static TimelineEvent of(
            @JsonProperty("timeNs") long timeNs,
            @JsonProperty("type") TimelineEventType type,
            @JsonProperty("process") String process,
            @JsonProperty("thread") String thread,
            @JsonProperty("details") Map<String, Object> details) {
        UntypedEvent untyped = new UntypedEvent(timeNs, type, process, thread, details);
        TimelineEvent typed =
                switch (type) {
                    case THREAD_ABSENT -> ThreadAbsence.of(untyped);
                    case THREAD_WAITED -> ShortWaits.of(untyped);
                    default -> untyped.typed().orElse(untyped);
                };
        return untyped.saysTheSameAs(typed) ? typed : untyped;
    }

    /** An event as a line of the file. */
    record Line(
            long timeNs, TimelineEventType type, String process, String thread, SortedMap<String, Object> details) {}

    /** Returns the event as a line of the file. */
    @JsonValue
    default Line line() {
        return new Line(timeNs(), type(), process(), thread(), new TreeMap<>(details()));
    }

    /** The detail as a number, or the default when it is absent or no number. */
    default long longDetail(String key, long absent) {
        return detail(key) instanceof Number number ? number.longValue() : absent;
    }

    /** Returns the detail as text; empty when it is absent. */
    default String textDetail(String key) {
        Object detail = detail(key);
        return detail == null ? "" : detail.toString();
    }

    default @Nullable Object detail(String key) {
        return details().get(key);
    }

    /** Returns how many datagrams, NAKs or retransmissions it stands for; 1 of what is not counted. */
    default long amount() {
        return 1;
    }

    /** Returns the length of something that has one, and 0 of what has none. */
    default long durationNs() {
        return interval().lengthNs();
    }

    /** Returns when it ended. */
    default long endNs() {
        return timeNs() + durationNs();
    }
}
