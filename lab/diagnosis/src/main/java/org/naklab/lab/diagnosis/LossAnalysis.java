package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.StreamEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.events.EventGroup;
import org.naklab.lab.diagnosis.events.LossCharges;

/** The losses of the receivers: amounts from the counters, times from the timeline. */
final class LossAnalysis {
    private static final Set<TimelineEventType> KINDS = EnumSet.of(DATAGRAMS_DROPPED, NAK_SENT, REPAIRED);
    /** A drop is seen with the sample after it. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CaseFile file;
    private final Set<String> receivers;
    /** Data lost in the warm-up may be requested later. */
    private final List<TimelineEvent> events;

    /** By process, the times in which a full socket may have dropped what was seen long after. */
    private final Map<String, List<Interval>> lateDrops;

    private final Map<String, NavigableSet<Long>> repairedNs = new HashMap<>();

    LossAnalysis(CaseFile file) {
        this.file = file;
        receivers = file.receivers().stream().map(CaseFile.Receiver::name).collect(Collectors.toSet());
        events = file.events().stream()
                .filter(event -> KINDS.contains(event.type()))
                .filter(event -> receivers.contains(event.process()))
                .toList();
        lateDrops = of(DATAGRAMS_DROPPED)
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> gapNs(drop) >= LATE_NS)
                .filter(this::isOfFullSocketOrUnseen)
                .collect(Collectors.groupingBy(
                        SocketEvent.Dropped::process,
                        Collectors.mapping(
                                drop -> new Interval(drop.timeNs() - gapNs(drop), drop.seenNs()),
                                Collectors.toList())));
        of(REPAIRED).forEach(repaired -> repairedNs
                .computeIfAbsent(repaired.process(), process -> new TreeSet<>())
                .add(repaired.timeNs()));
    }

    /** Returns the drops of all receivers over the whole run. */
    long drops() {
        return file.receivers().stream()
                .mapToLong(each -> each.losses().datagramsDropped())
                .sum();
    }

    /** Returns the NAKs of all receivers over the whole run. */
    long naks() {
        return file.receivers().stream()
                .mapToLong(receiver -> Math.max(0, receiver.losses().naksSent()))
                .sum();
    }

    /** Returns the NAKs of one receiver over the whole run. */
    long naks(String receiver) {
        return Math.max(0, file.receiver(receiver).losses().naksSent());
    }

    /** Returns a lower bound of the bytes that were in no datagram dropped by a socket, over all receivers and the whole run. */
    long lostOnTheWayBytes() {
        return file.receivers().stream()
                .mapToLong(each -> each.losses().lostOnTheWayBytes())
                .sum();
    }

    /** Returns the receivers that asked for datagrams which their own sockets had not dropped; empty if there is none. */
    List<String> lossyReceivers() {
        if (isWithoutAnyDrop()) {
            return file.receivers().stream()
                    .filter(receiver -> receiver.losses().naksSent() > 0)
                    .map(CaseFile.Receiver::name)
                    .toList();
        }
        return nakedWithoutDrop().map(TimelineEvent::process).distinct().toList();
    }

    /** Returns the receivers that miss more bytes than their sockets dropped; empty if there is none, or if nobody sent a NAK. */
    List<String> shortReceivers() {
        return naks() == 0
                ? List.of()
                : file.receivers().stream()
                        .filter(receiver -> receiver.losses().lostOnTheWayBytes() > 0)
                        .map(CaseFile.Receiver::name)
                        .toList();
    }

    private Stream<TimelineEvent> nakedWithoutDrop() {
        return counted(NAK_SENT)
                .filter(nak -> file.receiver(nak.process()).losses().overruns() == 0)
                .filter(this::isWithoutDrop);
    }

    /** Its own socket has not overflowed since its last complete repair. */
    private boolean isWithoutDrop(TimelineEvent nak) {
        Interval span = new Interval(lastRepairedNs(nak) - LATE_NS, nak.timeNs() + LATE_NS);
        return !isDropIn(nak.process(), span) && !isLateDropIn(nak.process(), span);
    }

    /** Between two samples that are far apart, nobody knows when the socket dropped something, nor how full it was: it may have been before the receiver asked. */
    private boolean isLateDropIn(String process, Interval span) {
        return lateDrops.getOrDefault(process, List.of()).stream().anyMatch(span::overlaps);
    }

    private boolean isOfFullSocketOrUnseen(SocketEvent.Dropped drop) {
        SocketDrops reasons = reasons(List.of(drop));
        return reasons.ofFullSocket() > 0 || reasons.unseen() != null;
    }

    private static long gapNs(SocketEvent.Dropped drop) {
        SocketEvent.Fill fill = drop.fill();
        return fill == null ? 0 : Objects.requireNonNullElse(fill.longestGapNs(), 0L);
    }

    private long lastRepairedNs(TimelineEvent nak) {
        NavigableSet<Long> timesNs = repairedNs.get(nak.process());
        Long lastNs = timesNs == null ? null : timesNs.lower(nak.timeNs());
        return lastNs == null ? Long.MIN_VALUE / 2 : lastNs;
    }

    /** Returns true if receivers sent NAKs although no socket overflowed and no driver dropped a datagram during the run. */
    boolean isWithoutAnyDrop() {
        return naks() > 0
                && drops() == lostBeforeQueue()
                && of(DATAGRAMS_DROPPED).allMatch(event -> dropsIn(event.process(), event.interval()) == 0)
                && file.receivers().stream()
                        .allMatch(receiver -> receiver.losses().overruns() == 0);
    }

    private Stream<TimelineEvent> counted(TimelineEventType type) {
        return of(type).filter(event -> file.counted().contains(event.timeNs()));
    }

    private Stream<TimelineEvent> of(TimelineEventType type) {
        return events.stream().filter(event -> event.type() == type);
    }

    private boolean isDropIn(String process, Interval span) {
        return dropsIn(process, span) > 0;
    }

    /** Charges the drops of the receivers, each to one event, whatever overlaps. */
    LossCharges charges(Collection<LossCharges.Claim> claims) {
        return new LossCharges(
                of(DATAGRAMS_DROPPED)
                        .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                        .toList(),
                claims);
    }

    /** Returns the time of a stall and the time after it in which its losses may come: until the sockets have drained. */
    Interval untilDrained(TimelineEvent stall) {
        Interval span = Diagnoser.withAftermath(stall);
        long drainedNs = file.near(span, stall.process(), SOCKET_DRAINED).stream()
                .map(TimelineEvent::interval)
                .filter(span::overlaps)
                .mapToLong(Interval::endNs)
                .reduce(span.endNs(), Math::max);
        return new Interval(span.beginNs(), drainedNs);
    }

    /** Returns the datagrams that a receiver's sockets dropped in the interval because they were full. */
    long dropsIn(String process, Interval span) {
        return ofFullSocket(dropped(process, span), isStalled(span));
    }

    /**
     * Returns how many of some dropped datagrams were dropped because their socket was full. What was dropped for a bad checksum, or by a socket
     * far from full, no stall cost.
     *
     * @param isStalled whether a receiver stood still: what waits in its socket takes the memory of UDP
     */
    long ofFullSocket(List<SocketEvent.Dropped> drops, boolean isStalled) {
        if (drops.isEmpty()) {
            return 0;
        }
        SocketDrops reasons = reasons(drops);
        return reasons.ofFullSocket() + (isStalled ? reasons.withoutMemory() : 0);
    }

    private SocketDrops reasons(List<SocketEvent.Dropped> drops) {
        List<TimelineEvent> all = new ArrayList<>(drops);
        EventGroup discards = file.index().group(DATAGRAMS_DISCARDED);
        drops.stream()
                .flatMapToInt(drop -> Arrays.stream(discards.positionsNear(seen(drop)))
                        .filter(position -> discards.get(position) instanceof DatagramEvent.Discarded discarded
                                && isOfSocket(drop, discarded))
                        .filter(position -> seen(drop).overlaps(spanOf(discards.get(position)))))
                .distinct()
                .sorted()
                .mapToObj(discards::get)
                .forEach(all::add);
        Set<Integer> ports = drops.stream().map(SocketEvent::port).collect(Collectors.toSet());
        return SocketDrops.of(
                drops.stream().mapToLong(SocketEvent.Dropped::datagrams).sum(), all, ports);
    }

    /** Returns whether a receiver stood still: what waits in its socket takes the memory of UDP. Otherwise the datagrams of others do. */
    private boolean isStalled(Interval span) {
        return file.near(Diagnoser.beforeAftermath(span), STALL).stream()
                .map(Diagnoser::withAftermath)
                .anyMatch(span::overlaps);
    }

    /** Returns the datagrams that sockets count as dropped, and that neither a stall nor a burst cost: they are lost on the way. */
    private long lostBeforeQueue() {
        long withoutMemory = file.of(DatagramEvent.Discarded.class).stream()
                .filter(event -> event.place().reason().equals(DatagramEvent.Discarded.NO_MEMORY))
                .filter(event -> event.port() == file.feedPort())
                .filter(event -> file.counted().contains(event.timeNs()) && !isStalled(spanOf(event)))
                .mapToLong(DatagramEvent.Discarded::count)
                .sum();
        return badChecksums() + Math.min(drops() - badChecksums(), withoutMemory);
    }

    private static boolean isOfSocket(SocketEvent drop, DatagramEvent.Discarded discarded) {
        return discarded.place().inode() == 0
                || drop.inode() == discarded.place().inode();
    }

    /** Returns the time in which a drop happened, as far as it is known: it was seen with the sample after it. */
    private static Interval seen(SocketEvent.Dropped drop) {
        return new Interval(drop.timeNs() - LATE_NS, drop.seenNs() + LATE_NS);
    }

    /** Returns the time of an event, which may be a moment, as an interval that is not empty. */
    private static Interval spanOf(TimelineEvent event) {
        return new Interval(event.timeNs(), event.interval().endNs() + 1);
    }

    /** Returns the datagrams with a bad checksum among those that the sockets dropped over the whole run. */
    long badChecksums() {
        return SocketDrops.of(
                        drops(),
                        file.of(DATAGRAMS_DISCARDED).stream()
                                .filter(event -> file.counted().contains(event.timeNs()))
                                .toList(),
                        List.of(file.feedPort()))
                .badChecksums();
    }

    private List<SocketEvent.Dropped> dropped(String process, Interval span) {
        return receivers.contains(process)
                ? file.near(span, process, SocketEvent.Dropped.class).stream()
                        .filter(event -> span.contains(event.timeNs()))
                        .toList()
                : List.of();
    }

    /** Returns how many NAKs of a receiver asked for what its socket had not dropped, at least 1: each asks for one datagram or more. */
    long datagramsLostOnTheWay(String receiver) {
        long unexplained = counted(NAK_SENT)
                .filter(nak -> nak.process().equals(receiver))
                .filter(this::isWithoutDrop)
                .flatMap(TimelineEvent.only(StreamEvent.NakSent.class))
                .mapToLong(StreamEvent.NakSent::naks)
                .sum();
        return Math.max(1, isWithoutAnyDrop() ? file.receiver(receiver).losses().naksSent() : unexplained);
    }

    long firstDropNs() {
        return first(DATAGRAMS_DROPPED);
    }

    long firstNakNs() {
        return first(NAK_SENT);
    }

    /** Returns when a receiver first asked for what its socket had not dropped; the begin of the counted window if nobody saw it. */
    long firstLossNs(String receiver) {
        return counted(NAK_SENT)
                .filter(nak -> nak.process().equals(receiver))
                .filter(this::isWithoutDrop)
                .mapToLong(TimelineEvent::timeNs)
                .min()
                .orElseGet(this::firstNakNs);
    }

    private long first(TimelineEventType type) {
        return counted(type)
                .mapToLong(TimelineEvent::timeNs)
                .min()
                .orElse(file.counted().beginNs());
    }
}
