package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.MEMBERSHIP_LOST;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;

/** Tells what was seen of the feed on its way to the sockets of this host, apart from discarded datagrams. */
final class FeedObservations {
    private final CaseFile file;

    FeedObservations(CaseFile file) {
        this.file = file;
    }

    /** Returns the findings, by kind. */
    List<Evidence> evidence() {
        List<Evidence> evidence = new ArrayList<>();
        membershipsLost().map(FeedObservations::membership).forEach(evidence::add);
        silences().stream().map(FeedObservations::silence).forEach(evidence::add);
        foreign(evidence);
        file.of(DatagramEvent.PortShared.class).stream()
                .filter(event -> event.timeNs() <= file.counted().endNs())
                .map(FeedObservations::sharing)
                .forEach(evidence::add);
        return evidence;
    }

    /** Returns what sockets of other processes took that were bound to the unicast port meanwhile. */
    List<DatagramEvent.Taken> taken() {
        return counted(DatagramEvent.Taken.class)
                .filter(event -> event.process().equals(file.suspect()))
                .toList();
    }

    /** Returns whether the host was not a member of the group for a time: datagrams were then discarded before they were counted. */
    boolean isMembershipLost() {
        return membershipsLost().findAny().isPresent();
    }

    /** Returns the times after which a socket joined the group again; a process that leaves a group for good has lost nothing. */
    List<DatagramEvent.MembershipLost> interruptedMemberships() {
        return membershipsLost().filter(event -> !event.isLasting()).toList();
    }

    /** Returns the part of a silence in which no socket of the host was a member of the group: a switch then sends nothing, whatever the sender does. */
    double withoutMembership(TimelineEvent silence) {
        return silence.interval()
                .coveredBy(file.near(silence.interval(), MEMBERSHIP_LOST).stream()
                        .map(TimelineEvent::interval)
                        .filter(file.counted()::overlaps)
                        .toList());
    }

    private Stream<DatagramEvent.MembershipLost> membershipsLost() {
        return file.of(DatagramEvent.MembershipLost.class).stream()
                .filter(event -> event.interval().overlaps(file.counted()));
    }

    private <E extends DatagramEvent.AtPort> Stream<E> counted(Class<E> kind) {
        return file.of(kind).stream()
                .filter(event -> event.port() == file.feedPort())
                .filter(event -> event.interval().overlaps(file.counted()));
    }

    private static Evidence membership(DatagramEvent.MembershipLost event) {
        return new Evidence(
                event.timeNs(),
                "no socket of the host of " + event.process() + " was a member of " + event.group(),
                String.format(
                        Locale.ROOT, "%.0f ms, interface %d", event.interval().lengthMs(), event.interfaceIndex()));
    }

    /** Returns the times in which no datagram of the feed came in, within the counted window. */
    List<DatagramEvent.Silence> silences() {
        return counted(DatagramEvent.Silence.class).toList();
    }

    /** Returns the finding of one such time. */
    static Evidence silence(DatagramEvent.Silence event) {
        DatagramEvent.SenderAbsence absence = event.sender();
        String sender = absence == null
                ? event.from().source()
                : String.format(
                        Locale.ROOT,
                        "%s was %s for %.0f ms of it",
                        absence.senderThread(),
                        absence.senderState(),
                        absence.senderAbsentNs() / Units.NS_PER_MS);
        return new Evidence(
                event.timeNs(),
                "no datagram of the feed came in, not even a heartbeat",
                String.format(
                        Locale.ROOT,
                        "%.0f ms, usually at most %.0f; %s",
                        event.interval().lengthMs(),
                        event.pace().usualGapNs() / Units.NS_PER_MS,
                        sender));
    }

    /** A sender may have begun more than once. */
    private void foreign(List<Evidence> evidence) {
        Map<String, List<DatagramEvent.Foreign>> senders = new LinkedHashMap<>();
        counted(DatagramEvent.Foreign.class).forEach(event -> senders.computeIfAbsent(
                        event.flow().source() + " sent to " + event.flow().destination(), key -> new ArrayList<>())
                .add(event));
        senders.forEach((sender, events) -> evidence.add(new Evidence(
                events.get(0).timeNs(),
                "a sender other than that of the feed: " + sender + ", the port of the feed",
                String.format(
                        Locale.ROOT,
                        "%,d datagrams in %.0f ms, at most %,d per second",
                        events.stream().mapToLong(DatagramEvent.Foreign::count).sum(),
                        Interval.union(events.stream()
                                        .map(TimelineEvent::interval)
                                        .toList())
                                .stream()
                                .mapToDouble(Interval::lengthMs)
                                .sum(),
                        events.stream()
                                .mapToLong(DatagramEvent.Foreign::peakPerSecond)
                                .max()
                                .orElse(0)))));
    }

    private static Evidence sharing(DatagramEvent.PortShared event) {
        String owner = event.owner();
        return new Evidence(
                event.timeNs(),
                "another socket is bound to the port; each has its own copy of a multicast datagram, one of them gets a unicast datagram",
                (owner.isEmpty() ? "unknown process" : owner) + " at " + event.address());
    }
}
