package org.naklab.lab.diagnosis.events;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * Charges each loss to one of the events that may have caused it: to the one during which most of it happened, or else to the one that ended last
 * before it and of which it may be the aftermath. What several processes saw is of each receiver that saw it; the losses of others are charged to any of them.
 */
public final class LossCharges {
    private final IdentityHashMap<TimelineEvent, List<SocketEvent.Dropped>> charged = new IdentityHashMap<>();

    /**
     * An event that may have caused losses.
     *
     * @param process whose losses; {@code null}: those of all, first of the process that saw the event
     * @param aftermath from its begin to the time from which a loss is no more its doing
     */
    public record Claim(TimelineEvent event, @Nullable String process, Interval aftermath) {
        private boolean isOf(SocketEvent.Dropped loss) {
            return (process == null || process.equals(loss.process())) && aftermath.overlaps(spanOf(loss));
        }

        private boolean isSeenBy(String receiver) {
            return process == null && event.process().equals(receiver);
        }

        private boolean isSeenByOthersThan(String receiver) {
            return process == null && !event.process().equals(receiver);
        }

        private long duringNs(SocketEvent.Dropped loss) {
            return event.interval()
                    .intersection(spanOf(loss))
                    .map(Interval::lengthNs)
                    .orElse(0L);
        }
    }

    /** Charges losses. */
    public LossCharges(Collection<SocketEvent.Dropped> losses, Collection<Claim> claims) {
        for (SocketEvent.Dropped loss : losses) {
            List<Claim> possible =
                    claims.stream().filter(claim -> claim.isOf(loss)).toList();
            boolean isSeen = possible.stream().anyMatch(claim -> claim.isSeenBy(loss.process()));
            possible.stream()
                    .filter(claim -> !isSeen || !claim.isSeenByOthersThan(loss.process()))
                    .max(Comparator.comparingLong((Claim claim) -> claim.duringNs(loss))
                            .thenComparingLong(claim -> claim.event().endNs()))
                    .ifPresent(claim -> charged.computeIfAbsent(claim.event(), key -> new ArrayList<>())
                            .add(loss));
        }
    }

    /** Returns the time of the drops that were reported together; it is not empty. */
    private static Interval spanOf(SocketEvent.Dropped loss) {
        return new Interval(loss.timeNs(), Math.max(loss.detectedNs(), loss.timeNs() + 1));
    }

    /** Returns the losses that an event is charged with. */
    public List<SocketEvent.Dropped> of(TimelineEvent event) {
        return charged.getOrDefault(event, List.of());
    }

    /** Returns the losses of one process that an event is charged with. */
    public List<SocketEvent.Dropped> of(TimelineEvent event, String process) {
        return of(event).stream().filter(loss -> loss.process().equals(process)).toList();
    }
}
