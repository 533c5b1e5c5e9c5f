package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_TAKEN;
import static org.naklab.lab.core.timeline.TimelineEventType.FEED_SILENT;
import static org.naklab.lab.core.timeline.TimelineEventType.FOREIGN_DATAGRAMS;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMBERSHIP_LOST;
import static org.naklab.lab.core.timeline.TimelineEventType.PORT_SHARED;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** What was seen of the feed on its way to the sockets of this host, apart from discarded datagrams. */
final class FeedObservations {
    private static final double NS_PER_MS = 1e6;

    private final CaseFile file;

    FeedObservations(CaseFile file) {
        this.file = file;
    }

    /** Returns the findings, by kind. */
    List<Evidence> evidence() {
        List<Evidence> evidence = new ArrayList<>();
        membershipsLost().map(FeedObservations::membership).forEach(evidence::add);
        counted(FEED_SILENT).map(FeedObservations::silence).forEach(evidence::add);
        foreign(evidence);
        file.of(PORT_SHARED).stream()
                .filter(event -> event.timeNs() <= file.counted().endNs())
                .map(FeedObservations::sharing)
                .forEach(evidence::add);
        return evidence;
    }

    /** Returns what sockets of other processes took that were bound to the unicast port meanwhile. */
    List<TimelineEvent> taken() {
        return counted(DATAGRAMS_TAKEN)
                .filter(event -> event.process().equals(file.suspect()))
                .toList();
    }

    /** Returns whether the host was not a member of the group for a time: datagrams were then discarded before they were counted. */
    boolean isMembershipLost() {
        return membershipsLost().findAny().isPresent();
    }

    /** Returns the times after which a socket joined the group again; a process that leaves a group for good has lost nothing. */
    List<TimelineEvent> interruptedMemberships() {
        return membershipsLost()
                .filter(event -> !Boolean.TRUE.equals(event.detail("lasting")))
                .toList();
    }

    /** Returns the part of a silence in which no socket of the host was a member of the group: a switch then sends nothing, whatever the sender does. */
    double withoutMembership(TimelineEvent silence) {
        return silence.interval()
                .coveredBy(file.near(silence.interval(), MEMBERSHIP_LOST).stream()
                        .map(TimelineEvent::interval)
                        .filter(file.counted()::overlaps)
                        .toList());
    }

    private Stream<TimelineEvent> membershipsLost() {
        return file.of(MEMBERSHIP_LOST).stream()
                .filter(event -> event.interval().overlaps(file.counted()));
    }

    private Stream<TimelineEvent> counted(TimelineEventType type) {
        return file.of(type).stream()
                .filter(event -> event.longDetail("port", 0) == file.feedPort())
                .filter(event -> event.interval().overlaps(file.counted()));
    }

    private static Evidence membership(TimelineEvent event) {
        return new Evidence(
                event.timeNs(),
                "no socket of the host of " + event.process() + " was a member of " + event.textDetail("group"),
                String.format(
                        Locale.ROOT,
                        "%.0f ms, interface %d",
                        event.interval().lengthMs(),
                        event.longDetail("interface", 0)));
    }

    /** Returns the times in which no datagram of the feed came in, within the counted window. */
    List<TimelineEvent> silences() {
        return counted(FEED_SILENT).toList();
    }

    /** Returns the finding of one such time. */
    static Evidence silence(TimelineEvent event) {
        String sender = event.textDetail("senderState").isEmpty()
                ? event.textDetail("source")
                : String.format(
                        Locale.ROOT,
                        "%s was %s for %.0f ms of it",
                        event.textDetail("senderThread"),
                        event.textDetail("senderState"),
                        event.longDetail("senderAbsentNs", 0) / NS_PER_MS);
        return new Evidence(
                event.timeNs(),
                "no datagram of the feed came in, not even a heartbeat",
                String.format(
                        Locale.ROOT,
                        "%.0f ms, usually at most %.0f; %s",
                        event.interval().lengthMs(),
                        event.longDetail("usualGapNs", 0) / NS_PER_MS,
                        sender));
    }

    /** A sender may have begun more than once. */
    private void foreign(List<Evidence> evidence) {
        Map<String, List<TimelineEvent>> senders = new LinkedHashMap<>();
        counted(FOREIGN_DATAGRAMS).forEach(event -> senders.computeIfAbsent(
                        event.textDetail("source") + " sent to " + event.textDetail("destination"),
                        key -> new ArrayList<>())
                .add(event));
        senders.forEach((sender, events) -> evidence.add(new Evidence(
                events.get(0).timeNs(),
                "a sender other than that of the feed: " + sender + ", the port of the feed",
                String.format(
                        Locale.ROOT,
                        "%,d datagrams in %.0f ms, at most %,d per second",
                        events.stream()
                                .mapToLong(event -> event.longDetail("count", 0))
                                .sum(),
                        Interval.union(events.stream()
                                        .map(TimelineEvent::interval)
                                        .toList())
                                .stream()
                                .mapToDouble(Interval::lengthMs)
                                .sum(),
                        events.stream()
                                .mapToLong(event -> event.longDetail("peakPerSecond", 0))
                                .max()
                                .orElse(0)))));
    }

    private static Evidence sharing(TimelineEvent event) {
        String owner = event.textDetail("owner");
        return new Evidence(
                event.timeNs(),
                "another socket is bound to the port; each has its own copy of a multicast datagram, one of them gets a unicast datagram",
                (owner.isEmpty() ? "unknown process" : owner) + " at " + event.textDetail("address"));
    }
}
