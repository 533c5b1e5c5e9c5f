package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Something happened. Kinds that are not typed yet are an {@link UntypedEvent}. */
public sealed interface TimelineEvent
        permits CoreShared,
                GcPause.CpuTime,
                GcPause,
                MemoryReclaim,
                PageFault,
                Safepoint,
                SendersWoken,
                ShortWaits,
                ThreadStall,
                ThreadAbsence,
                ThreadBusy,
                ThreadSample,
                UntypedEvent {
    /** The process of what happens on the whole machine. */
    String HOST = "host";

    /** Returns when it happened, CLOCK_MONOTONIC; of something with a length, when it began. */
    long timeNs();

    TimelineEventType type();

    /** Returns the name or pid of the process it happened in. */
    String process();

    /** Returns the name of the thread, empty when not of one thread. */
    String thread();

    /** Returns figures and names as the file has them; values are strings, booleans, integers or doubles. */
    Map<String, Object> details();

    /** Returns what the event covers; without a length, an instant. */
    Interval interval();

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
                    case CORE_SHARED -> CoreShared.of(untyped);
                    case GC_CPU_TIME -> GcPause.CpuTime.of(untyped);
                    case GC_PAUSE -> GcPause.of(untyped);
                    case MEMORY_RECLAIMED -> MemoryReclaim.of(untyped);
                    case PAGE_FAULT -> PageFault.of(untyped);
                    case SAFEPOINT -> Safepoint.of(untyped);
                    case SENDERS_WOKEN -> SendersWoken.of(untyped);
                    case STALL, YIELDED -> ThreadStall.of(untyped);
                    case THREAD_ABSENT -> ThreadAbsence.of(untyped);
                    case THREAD_BUSY -> ThreadBusy.of(untyped);
                    case THREAD_SAMPLED -> ThreadSample.of(untyped);
                    case THREAD_WAITED -> ShortWaits.of(untyped);
                    default -> untyped;
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

    /** Returns the inode of the socket that it tells of; 0 of what tells of none. */
    default long socketInode() {
        return longDetail("inode", 0);
    }

    /** Returns the length of something that has one, and 0 of what has none. */
    default long durationNs() {
        return interval().lengthNs();
    }

    /** Returns when it ended. */
    default long endNs() {
        return timeNs() + durationNs();
    }

    default @Nullable Object detail(String key) {
        return details().get(key);
    }
}
