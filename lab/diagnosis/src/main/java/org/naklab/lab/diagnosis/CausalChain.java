package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.MAJOR_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.RATE_LIMIT_HIT;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.RETRANSMIT_RECEIVED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;
import static org.naklab.lab.core.timeline.TimelineEventType.WAKE_FAILED;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.PageFault;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The chain from the rate limit to the repair: the links observed around one stall, and whether each followed its predecessor. */
record CausalChain(List<Link> links) {
    /** The duty cycle that stalls begins before the wake-up within it fails; samplers look once a millisecond. */
    private static final long COARSENESS_NS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Rates are counted in windows of 10 ms, and a delayed one is longer. */
    private static final long RATE_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(25);
    /** A limit hit in this interval of the limiter, or the one before. */
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The repair of one stall is over by then. */
    private static final long TRAIL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final List<TimelineEventType> BINDING = List.of(RATE_LIMIT_HIT, WAKE_FAILED, SYMBOL_BOUND);
    private static final List<TimelineEventType> LOSS =
            List.of(SOCKET_DEPTH_RISE, DATAGRAMS_DROPPED, NAK_SENT, RETRANSMIT_RECEIVED, REPAIRED);

    private static final List<TimelineEventType> REPAIR = List.of(NAK_SENT, RETRANSMIT_RECEIVED, REPAIRED);

    private static final Set<Cause> WITHOUT_CHAIN = EnumSet.of(
            Cause.CLEAN,
            Cause.SLOW_CONSUMER,
            Cause.SENDER_PAUSED,
            Cause.NETWORK_REORDERING,
            Cause.NETWORK_DUPLICATION,
            Cause.PROCESS_ENDED);

    CausalChain {
        links = List.copyOf(links);
    }

    /**
     * Returns the chain of one cause.
     *
     * @param process that the loss befell, if there is no stall
     * @param stall {@code null}: there was none, and the chain is that of a loss, or empty
     */
    static CausalChain of(CaseFile file, Cause cause, String process, @Nullable TimelineEvent stall) {
        if (stall == null) {
            return WITHOUT_CHAIN.contains(cause) || (cause == Cause.NETWORK_LOSS && !file.areNaksCounted(process))
                    ? new CausalChain(List.of())
                    : ordered(
                            new Seen(
                                    file,
                                    process,
                                    new Interval(
                                            file.counted().beginNs(),
                                            file.counted().endNs())),
                            seenBy(file, process, expectedWithoutStall(cause)),
                            null);
        }
        Interval around =
                new Interval(stall.timeNs() - LEAD_NS, stall.interval().endNs() + TRAIL_NS);
        return ordered(new Seen(file, stall.process(), around), seenBy(file, stall.process(), expected(cause)), stall);
    }

    /**
     * Returns the chain of a burst.
     *
     * @param process whose socket overflowed
     * @param burst the one that cost datagrams: what a socket lost before it is not its doing
     */
    static CausalChain ofBurst(CaseFile file, String process, TimelineEvent burst) {
        Interval around =
                new Interval(burst.timeNs() - RATE_WINDOW_NS, burst.interval().endNs() + TRAIL_NS);
        return ordered(
                new Seen(file, process, around),
                seenBy(file, process, expectedWithoutStall(Cause.TRAFFIC_BURST)),
                null);
    }

    /** Returns true if an observed link precedes the link that should be its cause, or a link between two others is missing. */
    boolean isBroken() {
        boolean lossSeen = links.stream().anyMatch(link -> link.type() == DATAGRAMS_DROPPED && link.present());
        return links.stream()
                .anyMatch(link -> !link.inOrder() || (!link.present() && (lossSeen || !LOSS.contains(link.type()))));
    }

    /** Returns the links that should have been seen and were not, or not in order, each one line. */
    List<String> missing() {
        return links.stream()
                .filter(link -> !link.present() || !link.inOrder())
                .map(link -> link.type() + (link.present() ? " was seen before its cause" : " was not seen"))
                .toList();
    }

    private static List<TimelineEventType> expected(Cause cause) {
        List<TimelineEventType> types = new ArrayList<>();
        if (cause == Cause.LATE_BINDING_DELAY || cause == Cause.LATE_BINDING_MAJOR_FAULT) {
            types.addAll(BINDING);
        }
        if (cause == Cause.LATE_BINDING_MAJOR_FAULT || cause == Cause.MAJOR_FAULT) {
            types.add(MAJOR_FAULT);
        }
        types.add(STALL);
        types.addAll(LOSS);
        return types;
    }

    /** Leaves out the links that nobody can have seen: a receiver that sends no NAKs has no repair. */
    private static List<TimelineEventType> seenBy(CaseFile file, String process, List<TimelineEventType> types) {
        return file.areNaksCounted(process)
                ? types
                : types.stream().filter(type -> !REPAIR.contains(type)).toList();
    }

    private static List<TimelineEventType> expectedWithoutStall(Cause cause) {
        if (cause == Cause.NETWORK_LOSS || cause == Cause.NETWORK_DELAY) {
            return List.of(NAK_SENT, RETRANSMIT_RECEIVED, REPAIRED);
        }
        List<TimelineEventType> types = new ArrayList<>();
        if (cause == Cause.TRAFFIC_BURST) {
            types.add(TimelineEventType.TRAFFIC_BURST);
        }
        types.addAll(LOSS);
        return types;
    }

    private static CausalChain ordered(Seen seen, List<TimelineEventType> types, @Nullable TimelineEvent stall) {
        List<Link> links = new ArrayList<>();
        long soonestNs = seen.around().beginNs();
        for (TimelineEventType type : types) {
            Observed observed = seen.first(type, stall).orElse(null);
            links.add(new Link(
                    type,
                    observed == null ? null : (Long) observed.atNs(),
                    observed == null || observed.atNs() - soonestNs >= 0));
            if (observed != null) {
                soonestNs = Math.max(soonestNs, observed.earliestNs());
            }
        }
        return new CausalChain(links);
    }

    /**
     * A link as an instrument observed it.
     *
     * @param earliestNs when it may have happened, given how often the instrument looks
     */
    private record Observed(long atNs, long earliestNs) {}

    /** The events among which links are searched. */
    private record Seen(CaseFile file, String process, Interval around) {
        /** Before the stall the last of a kind, within it and after it the first. */
        Optional<Observed> first(TimelineEventType type, @Nullable TimelineEvent stall) {
            if (type == STALL && stall != null) {
                return Optional.of(new Observed(stall.timeNs(), stall.timeNs() - COARSENESS_NS));
            }
            List<Observed> all = events(type, stall)
                    .map(event -> observed(event, stall))
                    .filter(observed -> around.contains(observed.atNs()))
                    .sorted(Comparator.comparingLong(Observed::atNs))
                    .toList();
            if (stall != null && (type == RATE_LIMIT_HIT || type == WAKE_FAILED)) {
                return all.stream()
                        .filter(observed -> stall.interval().endNs() - observed.atNs() >= 0)
                        .max(Comparator.comparingLong(Observed::atNs));
            }
            Optional<Observed> first = all.stream()
                    .filter(observed -> stall == null || observed.atNs() - stall.timeNs() >= -COARSENESS_NS)
                    .findFirst();
            return first.isEmpty() && stall != null && type == SOCKET_DEPTH_RISE && isRisenAt(stall.timeNs())
                    ? Optional.of(new Observed(stall.timeNs(), stall.timeNs() - COARSENESS_NS))
                    : first;
        }

        /** A socket that has not drained since an earlier stall does not rise again. */
        private boolean isRisenAt(long timeNs) {
            return file.near(around, process, SOCKET_DRAINED).stream()
                    .map(TimelineEvent::interval)
                    .anyMatch(risen -> risen.contains(timeNs));
        }

        /** The kernel's record of a fault has its begin; samples of the thread see it some milliseconds late. */
        private Stream<TimelineEvent> events(TimelineEventType type, @Nullable TimelineEvent stall) {
            if (type == MAJOR_FAULT && stall != null) {
                List<TimelineEvent> recorded = file.near(stall.interval(), process, PAGE_FAULT).stream()
                        .filter(fault -> fault.interval().overlaps(stall.interval()))
                        .filter(fault -> fault instanceof PageFault page && page.isMajor())
                        .toList();
                if (!recorded.isEmpty()) {
                    return recorded.stream();
                }
            }
            // A burst is seen elsewhere too.
            return type == TimelineEventType.TRAFFIC_BURST
                    ? file.near(around, type).stream()
                    : file.near(around, process, type).stream();
        }

        private Observed observed(TimelineEvent event, @Nullable TimelineEvent stall) {
            long atNs = stall != null && event instanceof SocketEvent.DepthRise rise
                    ? riseNs(rise, stall.timeNs())
                    : event.timeNs();
            long earliestNs = event instanceof ThreadEvent.MajorFaults faults ? faults.earliestNs() : atNs;
            long coarsenessNs = event.type() == TimelineEventType.TRAFFIC_BURST ? RATE_WINDOW_NS : COARSENESS_NS;
            return new Observed(atNs, Math.min(atNs, earliestNs) - coarsenessNs);
        }

        /**
         * Returns when the queue grew because of this stall: when it began to rise; or, if the reader was slightly behind before, when it passed
         * the limit of a rise, or else its peak.
         */
        private long riseNs(SocketEvent.DepthRise rise, long stallNs) {
            long earliestNs = stallNs - COARSENESS_NS;
            return LongStream.of(rise.timeNs(), rise.passedNs(), file.index().peakNs(rise))
                    .filter(timeNs -> timeNs - earliestNs >= 0)
                    .findFirst()
                    .orElse(rise.timeNs());
        }
    }
}
