package org.naklab.lab.diagnose;

import static org.naklab.lab.detect.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.detect.TimelineEventType.NAK_SENT;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.detect.TimelineEvent;

/** What the receivers lost: by the counters how much, by the timeline when. */
final class Losses {
    /** NAKs for what one overflow lost go on for that long. */
    private static final long REPAIR_NS = TimeUnit.SECONDS.toNanos(2);
    /** A drop is seen with the sample after it. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CaseFile file;
    private final List<TimelineEvent> events;

    Losses(CaseFile file) {
        this.file = file;
        events = file.events().stream()
                .filter(event -> event.type() == DATAGRAMS_DROPPED || event.type() == NAK_SENT)
                .filter(event -> file.counted().contains(event.timeNs()))
                .filter(event -> file.receivers().stream()
                        .anyMatch(receiver -> receiver.name().equals(event.process())))
                .toList();
    }

    /** Of all receivers, over the whole run. */
    long drops() {
        return file.receivers().stream()
                .mapToLong(CaseFile.Receiver::datagramsDropped)
                .sum();
    }

    /** Of all receivers, over the whole run. */
    long naks() {
        return file.receivers().stream().mapToLong(CaseFile.Receiver::naksSent).sum();
    }

    /** Whether a receiver asked for datagrams, and its own socket had not dropped any for longer than a repair takes. */
    boolean isNakWithoutDrop() {
        return events.stream()
                .filter(event -> event.type() == NAK_SENT)
                .anyMatch(nak -> !isDropIn(nak.process(), new Span(nak.timeNs() - REPAIR_NS, nak.timeNs() + LATE_NS)));
    }

    /** Whether that receiver's socket dropped a datagram then. */
    boolean isDropIn(String process, Span span) {
        return events.stream()
                .anyMatch(event -> event.type() == DATAGRAMS_DROPPED
                        && event.process().equals(process)
                        && span.contains(event.timeNs()));
    }

    /** Whether any receiver dropped a datagram then. */
    boolean isDropIn(Span span) {
        return events.stream().anyMatch(event -> event.type() == DATAGRAMS_DROPPED && span.contains(event.timeNs()));
    }

    long firstDropNs() {
        return first(DATAGRAMS_DROPPED);
    }

    long firstNakNs() {
        return first(NAK_SENT);
    }

    private long first(org.naklab.lab.detect.TimelineEventType type) {
        return events.stream()
                .filter(event -> event.type() == type)
                .mapToLong(TimelineEvent::timeNs)
                .min()
                .orElse(file.counted().fromNs());
    }
}
