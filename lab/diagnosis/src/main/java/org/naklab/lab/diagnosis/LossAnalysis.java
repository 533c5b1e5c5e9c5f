package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The losses of the receivers: amounts from the counters, times from the timeline. */
final class LossAnalysis {
    private static final Set<TimelineEventType> KINDS = EnumSet.of(DATAGRAMS_DROPPED, NAK_SENT, REPAIRED);
    /** A drop is seen with the sample after it. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CaseFile file;
    /** Data lost in the warm-up may be requested later. */
    private final List<TimelineEvent> events;

    LossAnalysis(CaseFile file) {
        this.file = file;
        events = file.events().stream()
                .filter(event -> KINDS.contains(event.type()))
                .filter(event -> file.receivers().stream()
                        .anyMatch(receiver -> receiver.name().equals(event.process())))
                .toList();
    }

    /** Returns the drops of all receivers over the whole run. */
    long drops() {
        return file.receivers().stream()
                .mapToLong(CaseFile.Receiver::datagramsDropped)
                .sum();
    }

    /** Returns the NAKs of all receivers over the whole run. */
    long naks() {
        return file.receivers().stream().mapToLong(CaseFile.Receiver::naksSent).sum();
    }

    /** Returns a lower bound of the bytes that were in no datagram dropped by a socket, over all receivers and the whole run. */
    long lostOnTheWayBytes() {
        return file.receivers().stream()
                .mapToLong(CaseFile.Receiver::lostOnTheWayBytes)
                .sum();
    }

    /**
     * Returns true if a receiver sent a NAK for datagrams that its own socket has not dropped since its last complete repair. Receivers
     * whose driver overran its window are excluded.
     */
    boolean isNakWithoutDrop() {
        return counted(NAK_SENT)
                .filter(nak -> file.receiver(nak.process()).overruns() == 0)
                .anyMatch(nak ->
                        !isDropIn(nak.process(), new Interval(lastRepairedNs(nak) - LATE_NS, nak.timeNs() + LATE_NS)));
    }

    private long lastRepairedNs(TimelineEvent nak) {
        return of(REPAIRED)
                .filter(repaired -> repaired.process().equals(nak.process()))
                .mapToLong(TimelineEvent::timeNs)
                .filter(timeNs -> nak.timeNs() - timeNs > 0)
                .max()
                .orElse(Long.MIN_VALUE / 2);
    }

    /** Returns true if receivers sent NAKs although no socket or driver dropped a datagram during the run. */
    boolean isWithoutAnyDrop() {
        return naks() > 0
                && drops() == 0
                && of(DATAGRAMS_DROPPED).findAny().isEmpty()
                && file.receivers().stream().allMatch(receiver -> receiver.overruns() == 0);
    }

    private Stream<TimelineEvent> counted(TimelineEventType type) {
        return of(type).filter(event -> file.counted().contains(event.timeNs()));
    }

    private Stream<TimelineEvent> of(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type);
    }

    /** Returns true if that receiver's socket dropped a datagram in the interval. */
    boolean isDropIn(String process, Interval span) {
        return events.stream()
                .anyMatch(event -> event.type() == DATAGRAMS_DROPPED
                        && event.process().equals(process)
                        && span.contains(event.timeNs()));
    }

    /** Returns true if any receiver dropped a datagram in the interval. */
    boolean isDropIn(Interval span) {
        return events.stream().anyMatch(event -> event.type() == DATAGRAMS_DROPPED && span.contains(event.timeNs()));
    }

    long firstDropNs() {
        return first(DATAGRAMS_DROPPED);
    }

    long firstNakNs() {
        return first(NAK_SENT);
    }

    private long first(TimelineEventType type) {
        return counted(type)
                .mapToLong(TimelineEvent::timeNs)
                .min()
                .orElse(file.counted().beginNs());
    }
}
