package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.RETRANSMIT_SENT;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Tells datagrams that were late, overtaken or doubled on the way from datagrams that were lost and sent again, by the order in which they came
 * in and by who had asked for a retransmission before.
 */
final class ArrivalAnalysis {
    /** A retransmission comes within this time after the NAK; an unanswered NAK is sent again earlier. */
    private static final long REPAIR_NS = TimeUnit.SECONDS.toNanos(1);
    /** Counters of two processes are read one after the other. */
    private static final long COARSENESS_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CaseFile file;

    ArrivalAnalysis(CaseFile file) {
        this.file = file;
    }

    /**
     * Returns whether most of what a receiver asked for again came in twice: the retransmission, and the original. What others asked for
     * comes in twice as well, so that the time of their repairs is left out.
     */
    boolean isDelayed(String receiver) {
        long late = lateOriginals(receiver);
        return late > 0 && late >= Explanation.LEAST_SHARE * repairs(receiver);
    }

    /** Returns the share of the datagrams which filled gaps that came in late, from 0 to 1. */
    double delayedShare(String receiver) {
        return Math.min(1, lateOriginals(receiver) / (double) Math.max(1, repairs(receiver)));
    }

    /** Returns what would have to be known to be certain of a delay, each one line. */
    List<String> missing(String receiver) {
        return delayedShare(receiver) >= Explanation.CERTAIN_SHARE
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "what became of the other %,d of %,d datagrams that filled gaps: only their retransmissions came in",
                        repairs(receiver) - lateOriginals(receiver),
                        repairs(receiver)));
    }

    private long lateOriginals(String receiver) {
        return datagrams(disorders(receiver, StreamEvent.Repeated.class)
                .filter(event -> isAfter(event, NAK_SENT, receiver::equals))
                .filter(event -> !isAfter(event, NAK_SENT, process -> !process.equals(receiver))));
    }

    /** A datagram that the socket dropped has no original that came later: its repair is not counted as a delay. */
    private long repairs(String receiver) {
        long dropped = file.of(receiver, SocketEvent.Dropped.class).stream()
                .filter(drop -> drop.port() == file.feedPort())
                .filter(drop -> file.counted().contains(drop.timeNs()))
                .mapToLong(SocketEvent.Dropped::datagrams)
                .sum();
        return Math.max(0, datagrams(disorders(receiver, StreamEvent.Overtaken.class)) - dropped);
    }

    /** Returns the evidence that datagrams were late. */
    Evidence delay(String receiver, long atNs) {
        return new Evidence(
                atNs,
                "datagrams that " + receiver + " had asked for again came in after all, beside their retransmission",
                String.format(
                        Locale.ROOT,
                        "%,d datagrams for %,d that filled gaps",
                        lateOriginals(receiver),
                        repairs(receiver)));
    }

    /** Returns the evidence of datagrams that came in behind later ones although nobody had asked for a retransmission; empty without any. */
    List<Evidence> reordering(String receiver) {
        List<StreamEvent.Overtaken> unasked = unasked(receiver, StreamEvent.Overtaken.class);
        double longestMs = unasked.stream()
                        .mapToLong(StreamEvent.Overtaken::longestDelayNs)
                        .max()
                        .orElse(0)
                / Units.NS_PER_MS;
        return evidence(
                unasked,
                "datagrams came in at " + receiver + " behind later ones, and nobody had asked for a retransmission",
                String.format(Locale.ROOT, ", at most %.1f ms late", longestMs));
    }

    /** Returns the evidence of datagrams that came in twice although nobody had asked for a retransmission; empty without any. */
    List<Evidence> duplication(String receiver) {
        return evidence(
                unasked(receiver, StreamEvent.Repeated.class),
                "datagrams came in at " + receiver + " once more, and nobody had asked for a retransmission",
                "");
    }

    private static List<Evidence> evidence(List<? extends StreamEvent.Disorder> events, String what, String more) {
        List<Evidence> evidence = new ArrayList<>();
        if (!events.isEmpty()) {
            evidence.add(new Evidence(
                    events.get(0).timeNs(),
                    what,
                    String.format(Locale.ROOT, "%,d datagrams%s", datagrams(events.stream()), more)));
        }
        return evidence;
    }

    private <E extends StreamEvent.Disorder> List<E> unasked(String receiver, Class<E> kind) {
        return disorders(receiver, kind)
                .filter(event -> !isAfter(event, NAK_SENT, process -> true))
                .filter(event -> !isAfter(event, RETRANSMIT_SENT, process -> true))
                .toList();
    }

    private boolean isAfter(TimelineEvent event, TimelineEventType type, Predicate<String> process) {
        Interval before = new Interval(event.timeNs() - REPAIR_NS, event.timeNs() + COARSENESS_NS);
        return file.near(before, type).stream()
                .anyMatch(asked -> before.contains(asked.timeNs()) && process.test(asked.process()));
    }

    private <E extends StreamEvent.Disorder> Stream<E> disorders(String receiver, Class<E> kind) {
        return file.of(receiver, kind).stream()
                .filter(event -> event.port() == file.feedPort())
                .filter(event -> file.counted().contains(event.timeNs()));
    }

    private static long datagrams(Stream<? extends StreamEvent.Disorder> events) {
        return events.mapToLong(StreamEvent.Disorder::datagrams).sum();
    }
}
