package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;

/**
 * The datagrams that a watched process lost, by reason: dropped by its sockets, discarded elsewhere in the kernel, or counted by its network namespace.
 *
 * @param dropped by the sockets of the process
 * @param discarded before they reached a socket of the process
 * @param taken by sockets of other processes that were bound to a unicast port of the process meanwhile
 * @param counted growth of counters of the network namespace, by their names
 */
public record DatagramLosses(
        SocketDrops dropped, Map<Place, Long> discarded, Map<Taker, Long> taken, Map<String, Long> counted) {
    private static final int UNKNOWN_PORT = 0;

    /** Counters of the namespace that stand for datagrams that did not arrive; the others are of other ports or of the sockets. */
    private static final Map<String, String> COUNTERS = Map.of(
            "ReasmFails",
            "failures to reassemble fragments",
            "SoftnetDropped",
            "packets dropped by the backlog of a CPU",
            "MemErrors",
            "datagrams without memory for UDP",
            "InDiscards",
            "packets discarded by IP",
            "IPReversePathFilter",
            "packets discarded by the reverse path filter");

    /**
     * Tells where the kernel discarded a datagram.
     *
     * @param reason the kernel's word, or its function if it gives no reason, and the side of the host if it is the sender's
     * @param port for which it was; 0: unknown, as of a fragment
     */
    public record Place(String reason, int port) {}

    /**
     * Tells who got datagrams instead.
     *
     * @param owner name and id of the process; empty if unknown
     */
    public record Taker(String owner, int port) {}

    public DatagramLosses {
        discarded = Map.copyOf(discarded);
        taken = Map.copyOf(taken);
        counted = Map.copyOf(counted);
    }

    /**
     * Counts the losses.
     *
     * @param events of the process and of the machine
     * @param ports of the UDP sockets of the process
     */
    public static DatagramLosses of(String process, List<TimelineEvent> events, Set<Integer> ports) {
        long dropped = events.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> drop.process().equals(process))
                .mapToLong(SocketEvent.Dropped::datagrams)
                .sum();
        return new DatagramLosses(
                SocketDrops.of(dropped, events, ports),
                discarded(events, ports),
                taken(process, events, ports),
                counted(process, events));
    }

    private static Map<Taker, Long> taken(String process, List<TimelineEvent> events, Set<Integer> ports) {
        Map<Taker, Long> counts = new LinkedHashMap<>();
        events.stream()
                .flatMap(TimelineEvent.only(DatagramEvent.Taken.class))
                .filter(event -> event.process().equals(process) && ports.contains(event.port()))
                .forEach(event -> counts.merge(new Taker(event.owner(), event.port()), event.count(), Long::sum));
        return counts;
    }

    private static Map<Place, Long> discarded(List<TimelineEvent> events, Set<Integer> ports) {
        Map<Place, Long> counts = new LinkedHashMap<>();
        events.stream()
                .flatMap(TimelineEvent.only(Discarded.class))
                .filter(event -> ports.contains(event.port())
                        || (event.isLaterFragment() && event.packet().isAtReceiver()))
                .filter(Discarded::isBeforeSocket)
                .forEach(event -> counts.merge(new Place(reasonOf(event), event.port()), event.count(), Long::sum));
        return counts;
    }

    private static String reasonOf(Discarded event) {
        String reason = event.place().reason();
        String named = reason.equals(Discarded.UNSPECIFIED)
                ? reason + " in " + event.place().location()
                : reason;
        return named + event.side();
    }

    private static Map<String, Long> counted(String process, List<TimelineEvent> events) {
        Map<String, Long> growths = new LinkedHashMap<>();
        events.stream()
                .flatMap(TimelineEvent.only(DatagramEvent.ErrorsCounted.class))
                .filter(event -> event.process().equals(process) && COUNTERS.containsKey(event.counter()))
                .forEach(event -> growths.merge(event.counter(), event.growth(), Long::sum));
        return growths;
    }

    /** Returns these losses and those of another time together. */
    DatagramLosses and(DatagramLosses other) {
        return new DatagramLosses(
                dropped.and(other.dropped),
                summed(discarded, other.discarded),
                summed(taken, other.taken),
                summed(counted, other.counted));
    }

    private static <K> Map<K, Long> summed(Map<K, Long> first, Map<K, Long> second) {
        Map<K, Long> sums = new LinkedHashMap<>(first);
        second.forEach((key, count) -> sums.merge(key, count, Long::sum));
        return sums;
    }

    /** Returns the ports at which the kernel discarded datagrams before they reached a socket, or gave them to that of another process. */
    Set<Integer> portsOnTheWay() {
        return Stream.concat(
                        discarded.keySet().stream().map(Place::port),
                        taken.keySet().stream().map(Taker::port))
                .filter(port -> port != UNKNOWN_PORT)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String datagrams(long count) {
        return Format.counted(count, "datagram");
    }

    /** Returns true if no datagram was lost, as far as is known. */
    public boolean isEmpty() {
        return dropped.all() == 0 && discarded.isEmpty() && taken.isEmpty() && counted.isEmpty();
    }

    /** Returns all losses, each one line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (dropped.all() > 0) {
            lines.add(datagrams(dropped.all()) + ", " + dropped.why());
        }
        lines.addAll(others());
        return lines;
    }

    /** Returns the losses outside of the sockets, each one line. */
    List<String> others() {
        List<String> lines = new ArrayList<>();
        discarded.keySet().stream().map(Place::reason).distinct().sorted().forEach(reason -> lines.add(line(reason)));
        taken.forEach((taker, count) -> lines.add(datagrams(count) + " for port " + taker.port()
                + " went to a socket of " + (taker.owner().isEmpty() ? "an unknown process" : taker.owner())
                + ", which was bound to the port meanwhile"));
        counted.keySet().stream()
                .sorted()
                .forEach(counter -> lines.add(Format.count(counted.getOrDefault(counter, 0L)) + " "
                        + COUNTERS.get(counter) + " (" + counter
                        + " of the network namespace, of which port is unknown)"));
        return lines;
    }

    private String line(String reason) {
        Set<Integer> ports = new TreeSet<>();
        long count = 0;
        for (Map.Entry<Place, Long> entry : discarded.entrySet()) {
            if (entry.getKey().reason().equals(reason)) {
                ports.add(entry.getKey().port());
                count += entry.getValue();
            }
        }
        return datagrams(count) + " discarded by this host, reason " + reason + ", port "
                + ports.stream()
                        .map(port -> port == UNKNOWN_PORT ? "unknown" : String.valueOf(port))
                        .collect(Collectors.joining(", "));
    }
}
