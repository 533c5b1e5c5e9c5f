package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.KERNEL_RECORDED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_COUNTED;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_ERRORS;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/** The places of this host at which a datagram of the feed can have been discarded: which were looked at, and what was found there. */
final class DatagramDiscards {
    /** Of which the counters of the network namespace tell as well as the kernel's reasons do. */
    private static final List<String> COUNTED_PLACES = List.of("receive buffer", "checksum", "reassembly", "backlog");

    private static final String FIREWALL = "firewall";

    /**
     * Reasons that accuse nobody: a socket counts what it dropped when it was full, a closing socket purges its queue, and a bridge frees copies that it
     * does not forward without a reason.
     */
    private static final Set<String> NEUTRAL = Set.of("SOCKET_RCVBUFF", "QUEUE_PURGE", "NOT_SPECIFIED");

    private static final Map<String, String> ACTORS = Map.of(
            "NETFILTER_DROP",
            "this host's firewall discarded %s",
            SocketDrops.BAD_CHECKSUM,
            "this host discarded %s with a bad checksum",
            "CPU_BACKLOG",
            "the backlog of a CPU of this host was full and discarded %s",
            "PROTO_MEM",
            "UDP had no memory left on this host and discarded %s",
            "SOCKET_FILTER",
            "a filter of the socket discarded %s",
            "IP_RPFILTER",
            "this host's reverse path filter discarded %s",
            "FRAG_REASM_TIMEOUT",
            "this host discarded %s whose fragments were missing",
            "TC_INGRESS",
            "traffic control of this host discarded %s on receipt",
            "TC_EGRESS",
            "traffic control of this host discarded %s on sending",
            "QDISC_DROP",
            "a queue discipline of this host discarded %s");

    /** Of the whole namespace; sockets of other ports are no matter of the feed, full sockets count their drops. */
    private static final Set<String> OF_OTHER_PORTS = Set.of("NoPorts", "RcvbufErrors");

    private final CaseFile file;
    private final boolean isKernelRecorded;
    private final boolean isCounted;

    DatagramDiscards(CaseFile file) {
        this.file = file;
        isKernelRecorded = covers(file.of(KERNEL_RECORDED).stream()
                .filter(event -> event.textDetail("source").equals("bpf")));
        isCounted = covers(file.of(file.suspect(), UDP_COUNTED).stream());
    }

    private boolean covers(Stream<TimelineEvent> records) {
        return records.map(TimelineEvent::interval)
                .anyMatch(interval -> interval.beginNs() <= file.counted().beginNs()
                        && interval.endNs() >= file.counted().endNs());
    }

    /** Returns the findings: what discarded datagrams of the feed, and what was looked at. */
    List<Evidence> evidence(long atNs, long drops) {
        List<Evidence> evidence = new ArrayList<>();
        Map<String, Long> found = byReason();
        found.forEach((reason, count) -> evidence.add(new Evidence(
                firstNs(reason),
                sentence(reason, count),
                String.format(Locale.ROOT, "port %d of the feed", file.feedPort()))));
        if (!isKernelRecorded) {
            byCounter()
                    .forEach((counter, growth) -> evidence.add(new Evidence(
                            atNs,
                            "the network namespace discarded datagrams, of which port is unknown",
                            String.format(Locale.ROOT, "%,d %s", growth, counter))));
        }
        evidence.add(new Evidence(atNs, lookedAt(evidence.isEmpty(), drops), conclusion(evidence.isEmpty())));
        return evidence;
    }

    /** Returns the count of datagrams with a bad checksum among those that sockets dropped. */
    SocketDrops drops(long all) {
        return SocketDrops.of(all, counted(DATAGRAMS_DISCARDED).toList(), List.of(file.feedPort()));
    }

    /** Returns the remedy for a loss; the general one of the cause only after all places were looked at, without a finding. */
    String remedy() {
        if (!byReason().isEmpty()) {
            return "correct what discarded the datagrams on this host: "
                    + String.join(", ", byReason().keySet());
        }
        return isComplete()
                ? Cause.NETWORK_LOSS.remedy()
                : "check switch and cable counters, and what was not looked at on this host: "
                        + String.join(", ", missingPlaces());
    }

    private boolean isComplete() {
        return missingPlaces().isEmpty();
    }

    private List<String> places() {
        List<String> places = new ArrayList<>();
        if (isKernelRecorded || isCounted) {
            places.addAll(COUNTED_PLACES);
        }
        if (isKernelRecorded) {
            places.add(FIREWALL);
        }
        return places;
    }

    private List<String> missingPlaces() {
        List<String> missing = new ArrayList<>(COUNTED_PLACES);
        missing.add(FIREWALL);
        missing.removeAll(places());
        return missing;
    }

    private String lookedAt(boolean isNothingFound, long drops) {
        List<String> parts = new ArrayList<>();
        if (!places().isEmpty()) {
            String none = drops > 0
                    ? String.format(Locale.ROOT, "; apart from %,d drops of sockets, none discarded", drops)
                    : "; none discarded";
            parts.add("looked at: " + String.join(", ", places())
                    + (isNothingFound ? none + " a datagram of this port" : ""));
        }
        if (!isComplete()) {
            parts.add("not looked at: " + String.join(", ", missingPlaces()));
        }
        return String.join("; ", parts);
    }

    private String conclusion(boolean isNothingFound) {
        return isNothingFound && isComplete()
                ? "the missing datagrams never reached this host's socket"
                : String.format(Locale.ROOT, "port %d of the feed", file.feedPort());
    }

    private Map<String, Long> byReason() {
        Map<String, Long> counts = new LinkedHashMap<>();
        discarded().forEach(event -> counts.merge(event.textDetail("reason"), event.longDetail("count", 0), Long::sum));
        return counts;
    }

    private long firstNs(String reason) {
        return discarded()
                .filter(event -> event.textDetail("reason").equals(reason))
                .mapToLong(TimelineEvent::timeNs)
                .findFirst()
                .orElse(file.counted().beginNs());
    }

    private Stream<TimelineEvent> discarded() {
        return counted(DATAGRAMS_DISCARDED)
                .filter(event -> event.longDetail("port", 0) == file.feedPort())
                .filter(event -> !NEUTRAL.contains(event.textDetail("reason")));
    }

    private Map<String, Long> byCounter() {
        Map<String, Long> growths = new LinkedHashMap<>();
        counted(UDP_ERRORS)
                .filter(event -> event.process().equals(file.suspect()))
                .filter(event -> !OF_OTHER_PORTS.contains(event.textDetail("counter")))
                .forEach(event -> growths.merge(event.textDetail("counter"), event.longDetail("growth", 0), Long::sum));
        return growths;
    }

    private Stream<TimelineEvent> counted(TimelineEventType type) {
        return file.of(type).stream().filter(event -> file.counted().contains(event.timeNs()));
    }

    private static String sentence(String reason, long count) {
        String datagrams = String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "datagram" : "datagrams");
        String actor = ACTORS.getOrDefault(reason, "this host's kernel discarded %s");
        return actor.replace("%s", datagrams) + " (" + reason + ")";
    }
}
