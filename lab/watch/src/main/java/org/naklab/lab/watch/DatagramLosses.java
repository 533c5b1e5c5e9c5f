package org.naklab.lab.watch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * The datagrams that a watched process lost, by reason: dropped by its sockets, discarded elsewhere in the kernel, or counted by its network namespace.
 *
 * @param dropped by the sockets of the process
 * @param others each one line
 */
public record DatagramLosses(SocketDrops dropped, List<String> others) {
    /** What the sockets themselves count. */
    private static final Set<String> OF_SOCKETS =
            Set.of("SOCKET_RCVBUFF", SocketDrops.BAD_CHECKSUM, "QUEUE_PURGE", "NOT_SPECIFIED");

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

    public DatagramLosses {
        others = List.copyOf(others);
    }

    /**
     * Counts the losses.
     *
     * @param events of the process and of the machine
     * @param ports of the UDP sockets of the process
     */
    public static DatagramLosses of(String process, List<TimelineEvent> events, Set<Integer> ports) {
        long dropped = events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DROPPED
                        && event.process().equals(process))
                .mapToLong(event -> event.longDetail("datagrams", 0))
                .sum();
        List<String> others = new ArrayList<>(discarded(events, ports));
        others.addAll(counted(process, events));
        return new DatagramLosses(SocketDrops.of(dropped, events, ports), others);
    }

    private static List<String> discarded(List<TimelineEvent> events, Set<Integer> ports) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<String, Set<Long>> portsOf = new LinkedHashMap<>();
        events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DISCARDED)
                .filter(event -> ports.contains((int) event.longDetail("port", 0)))
                .filter(event -> !OF_SOCKETS.contains(event.textDetail("reason")))
                .forEach(event -> {
                    counts.merge(event.textDetail("reason"), event.longDetail("count", 0), Long::sum);
                    portsOf.computeIfAbsent(event.textDetail("reason"), reason -> new TreeSet<>())
                            .add(event.longDetail("port", 0));
                });
        return counts.entrySet().stream()
                .map(entry -> datagrams(entry.getValue()) + " discarded by this host, reason " + entry.getKey()
                        + ", port "
                        + portsOf.getOrDefault(entry.getKey(), Set.of()).stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", ")))
                .toList();
    }

    private static List<String> counted(String process, List<TimelineEvent> events) {
        Map<String, Long> growths = new LinkedHashMap<>();
        events.stream()
                .filter(event -> event.type() == TimelineEventType.UDP_ERRORS
                        && event.process().equals(process))
                .filter(event -> COUNTERS.containsKey(event.textDetail("counter")))
                .forEach(event -> growths.merge(event.textDetail("counter"), event.longDetail("growth", 0), Long::sum));
        return growths.entrySet().stream()
                .map(entry -> Format.count(entry.getValue()) + " " + COUNTERS.get(entry.getKey()) + " ("
                        + entry.getKey() + " of the network namespace, of which port is unknown)")
                .toList();
    }

    private static String datagrams(long count) {
        return Format.counted(count, "datagram");
    }

    /** Returns true if no datagram was lost, as far as is known. */
    public boolean isEmpty() {
        return dropped.all() == 0 && others.isEmpty();
    }

    /** Returns all losses, each one line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (dropped.all() > 0) {
            lines.add(datagrams(dropped.all()) + ", " + dropped.why());
        }
        lines.addAll(others);
        return lines;
    }
}
