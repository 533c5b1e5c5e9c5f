package org.naklab.lab.diagnose;

import static org.naklab.lab.detect.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.detect.TimelineEventType.NAK_SENT;

import java.util.List;
import org.naklab.lab.detect.TimelineEvent;

/** What the receivers lost: by the counters how much, by the timeline when. */
final class Losses {
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

    /** Whether that receiver dropped a datagram or sent a NAK then. */
    boolean isAnyIn(String process, Span span) {
        return events.stream().anyMatch(event -> event.process().equals(process) && span.contains(event.timeNs()));
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
