package org.naklab.lab.core.timeline;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

/**
 * An event of a kind that has no record of its own, or with details that the record of its kind does not have.
 *
 * @param details sorted by key
 */
record UntypedEvent(long timeNs, TimelineEventType type, String process, String thread, Map<String, Object> details)
        implements TimelineEvent {
    private static final List<String> LENGTHS_NS = List.of("durationNs", "latenessNs", "delayNs");

    UntypedEvent {
        Objects.requireNonNull(type);
        Objects.requireNonNull(process);
        Objects.requireNonNull(thread);
        details = Collections.unmodifiableMap(new TreeMap<>(details));
    }

    /** Most kinds stand at their begin and carry their length; those that carry {@code beganNs} stand at their end. */
    @Override
    public Interval interval() {
        long beganNs = longDetail("beganNs", Long.MIN_VALUE);
        if (beganNs != Long.MIN_VALUE) {
            return new Interval(beganNs, timeNs);
        }
        long lengthNs =
                LENGTHS_NS.stream().mapToLong(key -> longDetail(key, 0)).max().orElse(0);
        if (detail("durationMs") instanceof Number ms) {
            lengthNs = Math.max(lengthNs, (long) (ms.doubleValue() * Units.NS_PER_MS));
        }
        return new Interval(timeNs, timeNs + lengthNs);
    }

    @Override
    public long durationNs() {
        return detail("durationMs") instanceof Number durationMs
                ? longDetail("durationNs", Math.round(durationMs.doubleValue() * Units.NS_PER_MS))
                : longDetail("durationNs", 0);
    }

    @Override
    public <E extends TimelineEvent> Optional<E> as(Class<E> kind) {
        return typed().filter(kind::isInstance).map(kind::cast);
    }

    /** Returns the event as a record of its type; empty if there is none, or a figure is missing. */
    Optional<TimelineEvent> typed() {
        Class<? extends TimelineEvent> form = type.form();
        return form == null ? Optional.empty() : Optional.ofNullable(EventForm.read(this, form));
    }

    @Override
    public long amount() {
        return typed().map(TimelineEvent::amount).orElse(1L);
    }

    /** Returns whether the other event is written as the same line, but for the form of its numbers. */
    boolean saysTheSameAs(TimelineEvent other) {
        Map<String, Object> its = other.details();
        return timeNs == other.timeNs()
                && thread.equals(other.thread())
                && its.keySet().equals(details.keySet())
                && details.entrySet().stream().allMatch(mine -> isSame(mine.getValue(), its.get(mine.getKey())));
    }

    private static boolean isSame(@Nullable Object mine, @Nullable Object its) {
        if (mine instanceof Number number && its instanceof Number itsNumber) {
            return number.longValue() == itsNumber.longValue() && number.doubleValue() == itsNumber.doubleValue();
        }
        return Objects.equals(mine, its);
    }
}
