package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A thread did not go on for longer than it may, or one yield of it took that long.
 *
 * @param type {@link TimelineEventType#STALL} or {@link TimelineEventType#YIELDED}
 * @param own the figures of its own process
 * @param seen the figures of an instrument
 */
public record ThreadStall(
        long timeNs, TimelineEventType type, String process, String thread, Interruption own, Sight seen)
        implements TimelineEvent {
    private static final double NS_PER_MS = 1e6;
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /**
     * The figures of a stall as an instrument saw it; null is what it did not look at.
     *
     * @param lasting whether the stall went on when the instrument ended
     * @param overflow whether the socket overflowed although its reader may have received, too slowly
     * @param subscription that was not polled; null if a socket was not read
     */
    public record Sight(
            @Nullable Long durationNs,
            @Nullable Long endNs,
            @Nullable Long unreadBytes,
            @Nullable Boolean lasting,
            @Nullable Boolean overflow,
            @Nullable String subscription) {
        /** Nothing was seen. */
        public static final Sight NONE = new Sight(null, null, null, null, null, null);
    }

    /** Returns the event as what it is. */
    static TimelineEvent of(UntypedEvent event) {
        try {
            return new ThreadStall(
                    event.timeNs(),
                    event.type(),
                    event.process(),
                    event.thread(),
                    MAPPER.convertValue(event.details(), Interruption.class),
                    MAPPER.convertValue(event.details(), Sight.class));
        } catch (IllegalArgumentException otherForm) {
            return event;
        }
    }

    /** Returns the figures of the event's own process. */
    public static Interruption figuresOf(TimelineEvent event) {
        return known(event) instanceof ThreadStall stall ? stall.own : Interruption.UNKNOWN;
    }

    /** A stall with details of another version has the known ones as well. */
    private static TimelineEvent known(TimelineEvent event) {
        return event instanceof UntypedEvent untyped ? of(untyped) : event;
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new TreeMap<>();
        putIfKnown(details, "durationMs", own.durationMs());
        putIfKnown(details, "majorFaults", own.majorFaults());
        putIfKnown(details, "processorWaitMs", own.processorWaitMs());
        putIfKnown(details, "collectionMs", own.collectionMs());
        putIfKnown(details, "processorPressureMs", own.processorPressureMs());
        putIfKnown(details, "stolenMs", own.stolenMs());
        putIfKnown(details, "durationNs", seen.durationNs());
        putIfKnown(details, "endNs", seen.endNs());
        putIfKnown(details, "unreadBytes", seen.unreadBytes());
        putIfKnown(details, "lasting", seen.lasting());
        putIfKnown(details, "overflow", seen.overflow());
        putIfKnown(details, "subscription", seen.subscription());
        return details;
    }

    private static void putIfKnown(Map<String, Object> details, String key, @Nullable Object value) {
        if (value != null) {
            details.put(key, value);
        }
    }

    @Override
    public Interval interval() {
        long seenNs = seen.durationNs() == null ? 0 : seen.durationNs();
        long ownNs = own.durationMs() == null ? 0 : (long) (own.durationMs() * NS_PER_MS);
        return new Interval(timeNs, timeNs + Math.max(0, Math.max(seenNs, ownNs)));
    }

    @Override
    public long durationNs() {
        return seen.durationNs() == null ? own.lengthNs() : seen.durationNs();
    }

    /** Returns whether the reader did not stand still: its socket overflowed because it was slower than the datagrams that came in. */
    public static boolean isOverflow(TimelineEvent event) {
        return known(event) instanceof ThreadStall stall && Boolean.TRUE.equals(stall.seen.overflow());
    }
}
