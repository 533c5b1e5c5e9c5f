package org.naklab.lab.core.timeline;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;

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

    /** Returns the figures of the event's own process. */
    public static Interruption figuresOf(TimelineEvent event) {
        return event.as(ThreadStall.class).map(ThreadStall::own).orElse(Interruption.UNKNOWN);
    }

    @Override
    public Interval interval() {
        long seenNs = seen.durationNs() == null ? 0 : seen.durationNs();
        long ownNs = own.durationMs() == null ? 0 : (long) (own.durationMs() * Units.NS_PER_MS);
        return new Interval(timeNs, timeNs + Math.max(0, Math.max(seenNs, ownNs)));
    }

    @Override
    public long durationNs() {
        return seen.durationNs() == null ? own.lengthNs() : seen.durationNs();
    }

    /** Returns whether the reader did not stand still: its socket overflowed because it was slower than the datagrams that came in. */
    public static boolean isOverflow(TimelineEvent event) {
        return event.as(ThreadStall.class)
                .filter(stall -> Boolean.TRUE.equals(stall.seen.overflow()))
                .isPresent();
    }
}
