package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.UDP_COUNTED;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.core.timeline.SocketEvent;
import org.naklab.lab.core.timeline.TimelineEvent;

/** The places of this host at which a datagram of the feed can have been discarded: which were looked at, and what was found there. */
final class DatagramDiscards {
    /** Of which the counters of the network namespace tell as well as the kernel's reasons do. */
    private static final List<String> COUNTED_PLACES =
            List.of("receive buffer", "checksum", "reassembly", "backlog", "reverse path filter");

    private static final String FIREWALL = "firewall";
    private static final String MEMBERSHIP = "group membership";
    private static final String SHARED = "other sockets of the port";
    private static final String SENDERS = "other senders and groups of the port";
    private static final String SILENCE = "silence of the sender";
    private static final List<String> ALL_PLACES = Stream.concat(
                    COUNTED_PLACES.stream(), Stream.of(FIREWALL, MEMBERSHIP, SHARED, SENDERS, SILENCE))
            .toList();

    private static final Map<String, String> ACTORS = Map.ofEntries(
            Map.entry("NETFILTER_DROP", "this host's firewall discarded %s"),
            Map.entry(Discarded.BAD_CHECKSUM, "this host discarded %s with a bad checksum"),
            Map.entry("CPU_BACKLOG", "the backlog of a CPU of this host was full and discarded %s"),
            Map.entry(Discarded.NO_MEMORY, "UDP had no memory left on this host and discarded %s"),
            Map.entry("SOCKET_FILTER", "a filter of the socket discarded %s"),
            Map.entry("NO_SOCKET", "no socket of this host was bound to the port, which discarded %s"),
            Map.entry("IP_RPFILTER", "this host's reverse path filter discarded %s"),
            Map.entry("FRAG_REASM_TIMEOUT", "this host could not put a datagram together in time and discarded %s"),
            Map.entry("DUP_FRAG", "this host discarded %s that came twice"),
            Map.entry("FRAG_TOO_FAR", "this host discarded %s that came too late"),
            Map.entry("TC_INGRESS", "traffic control of this host discarded %s on receipt"),
            Map.entry("TC_EGRESS", "traffic control of this host discarded %s on sending"),
            Map.entry("QDISC_DROP", "a queue discipline of this host discarded %s"));

    /** Functions of the kernel that give no reason, or one that says nothing. */
    private static final Map<String, String> ACTORS_BY_LOCATION = Map.of(
            "ip_rcv_finish_core",
            "this host had no route for, or was no member of the group of, %s and discarded them",
            "ip_defrag",
            "this host had no memory to put datagrams together and discarded %s",
            "ip_expire",
            "this host could not put a datagram together in time and discarded %s");

    /** Of the whole namespace; sockets of other ports are no matter of the feed, full sockets count their drops. */
    private static final Set<String> OF_OTHER_PORTS = Set.of("NoPorts", "RcvbufErrors");

    /** The places of the network namespace are read every 100 ms, */
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** on a busy machine, or if refreshing all instruments is expensive, later: at least this often. What was read less often was not looked at. */
    private static final long LONGEST_PERIOD_NS = TimeUnit.SECONDS.toNanos(5);

    private final CaseFile file;
    private final boolean isKernelRecorded;
    private final boolean isCounted;
    private final FeedObservations observations;
    private final Set<Long> inodes;
    private final Set<String> groups;

    /** Tells what discarded datagrams: the kernel's reason, and the function of the kernel. */
    private record Reason(String reason, String location, boolean isFragment, String side) {
        private static Reason of(Discarded event) {
            return new Reason(
                    event.place().reason(),
                    event.place().location(),
                    event.packet().isFragment(),
                    event.side());
        }

        private String label() {
            return (location.isEmpty() ? reason : reason + " in " + location) + side;
        }
    }

    DatagramDiscards(CaseFile file) {
        this.file = file;
        List<DatagramEvent.KernelRecorded> recorded = file.of(DatagramEvent.KernelRecorded.class);
        isKernelRecorded =
                covers(recorded.stream().filter(event -> event.source().equals("bpf")));
        isCounted = covers(file.of(file.suspect(), UDP_COUNTED).stream());
        observations = new FeedObservations(file);
        inodes = file.receivers().stream()
                .flatMap(receiver -> file.of(receiver.name(), SocketEvent.Opened.class).stream())
                .map(SocketEvent::inode)
                .collect(Collectors.toSet());
        groups = recorded.stream().map(DatagramEvent.KernelRecorded::group).collect(Collectors.toSet());
    }

    /** A place that is read now and then was looked at for one period after it was read last: the process may end before the next time. */
    private boolean covers(Stream<? extends TimelineEvent> records) {
        return records.anyMatch(event -> event.interval().beginNs()
                        <= file.counted().beginNs()
                && event.interval().endNs() + periodNs(event) >= file.counted().endNs());
    }

    private static long periodNs(TimelineEvent event) {
        Long gapNs = event instanceof DatagramEvent.PlaceObserved place ? place.longestGapNs() : null;
        return gapNs == null ? PERIOD_NS : Math.min(LONGEST_PERIOD_NS, Math.max(PERIOD_NS, gapNs));
    }

    /** Returns the findings: what discarded datagrams of the feed, and what was looked at. */
    List<Evidence> evidence(long atNs, long drops) {
        List<Evidence> evidence = new ArrayList<>();
        byReason()
                .forEach((reason, count) -> evidence.add(new Evidence(
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
        boolean isNothingFound = evidence.isEmpty();
        evidence.addAll(observations.evidence());
        evidence.add(new Evidence(atNs, lookedAt(isNothingFound, drops), conclusion(isNothingFound)));
        return evidence;
    }

    /** Returns the count of datagrams with a bad checksum among those that sockets dropped. */
    SocketDrops drops(long all) {
        return SocketDrops.of(all, List.copyOf(counted(Discarded.class).toList()), List.of(file.feedPort()));
    }

    /** Returns the remedy for a loss; the general one of the cause only after all places were looked at, without a finding. */
    String remedy() {
        if (!byReason().isEmpty()) {
            return "correct what discarded the datagrams on this host: "
                    + String.join(
                            ", ",
                            byReason().keySet().stream().map(Reason::label).toList());
        }
        if (!observations.taken().isEmpty()) {
            return "close the socket of the other process, or give it another port: one socket gets each unicast datagram";
        }
        if (observations.isMembershipLost()) {
            return "find out why the membership in the feed's group ended on this host";
        }
        return isComplete()
                ? Cause.NETWORK_LOSS.remedy()
                : "check switch and cable counters, and what was not looked at on this host: "
                        + String.join(", ", missingPlaces());
    }

    /** Returns the places that would have to be looked at to be certain of a loss, one line; empty if a place discarded datagrams, or all were looked at. */
    List<String> missing() {
        return isComplete() || !byReason().isEmpty() || observations.isMembershipLost()
                ? List.of()
                : List.of("what was not looked at on this host: " + String.join(", ", missingPlaces()));
    }

    /** Returns what sockets of other processes took that were bound to the unicast port meanwhile. */
    List<DatagramEvent.Taken> taken() {
        return observations.taken();
    }

    /** Returns the times without membership in the feed's group that ended. */
    List<DatagramEvent.MembershipLost> interruptedMemberships() {
        return observations.interruptedMemberships();
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
        Stream.of(MEMBERSHIP, SHARED)
                .filter(place -> covers(file.of(file.suspect(), DatagramEvent.PlaceObserved.class).stream()
                        .filter(event -> event.place().equals(place))))
                .forEach(places::add);
        if (covers(file.of(file.suspect(), DatagramEvent.KernelRecorded.class).stream()
                .filter(DatagramEvent.KernelRecorded::hasArrivals))) {
            places.add(SENDERS);
            places.add(SILENCE);
        }
        return places;
    }

    private List<String> missingPlaces() {
        List<String> missing = new ArrayList<>(ALL_PLACES);
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
        return isNothingFound && isComplete() && !observations.isMembershipLost()
                ? "the missing datagrams never reached this host's socket"
                : String.format(Locale.ROOT, "port %d of the feed", file.feedPort());
    }

    /** Returns the datagrams of the feed's port that this host discarded before they reached a socket. */
    long beforeSockets() {
        return discarded()
                .filter(event -> !event.place().reason().equals(Discarded.BAD_CHECKSUM))
                .mapToLong(Discarded::count)
                .sum();
    }

    /** Returns the datagrams to the feed's port that this host discarded because of a bad checksum. */
    long badChecksums() {
        return discarded()
                .filter(event -> event.place().reason().equals(Discarded.BAD_CHECKSUM))
                .mapToLong(Discarded::count)
                .sum();
    }

    private Map<Reason, Long> byReason() {
        Map<Reason, Long> counts = new LinkedHashMap<>();
        discarded().forEach(event -> counts.merge(Reason.of(event), event.count(), Long::sum));
        return counts;
    }

    private long firstNs(Reason reason) {
        return discarded()
                .filter(event -> Reason.of(event).equals(reason))
                .mapToLong(TimelineEvent::timeNs)
                .findFirst()
                .orElse(file.counted().beginNs());
    }

    private Stream<Discarded> discarded() {
        return counted(Discarded.class)
                .filter(event -> event.port() == file.feedPort()
                        || (event.isLaterFragment()
                                && groups.contains(event.flow().destination())))
                .filter(this::isOfReceivers)
                .filter(event -> !event.isNeutral());
    }

    /** What the socket of another process at the same port lost, the feed's receivers may have. */
    private boolean isOfReceivers(Discarded event) {
        return event.place().inode() == 0
                || inodes.isEmpty()
                || inodes.contains(event.place().inode());
    }

    private Map<String, Long> byCounter() {
        Map<String, Long> growths = new LinkedHashMap<>();
        counted(DatagramEvent.ErrorsCounted.class)
                .filter(event -> event.process().equals(file.suspect()))
                .filter(event -> !OF_OTHER_PORTS.contains(event.counter()))
                .forEach(event -> growths.merge(event.counter(), event.growth(), Long::sum));
        return growths;
    }

    private <E extends TimelineEvent> Stream<E> counted(Class<E> kind) {
        return file.of(kind).stream().filter(event -> file.counted().contains(event.timeNs()));
    }

    private static String sentence(Reason reason, long count) {
        String unit = reason.isFragment() ? "fragment" : "datagram";
        String datagrams = String.format(Locale.ROOT, "%,d %s", count, count == 1 ? unit : unit + "s");
        String byLocation = ACTORS_BY_LOCATION.getOrDefault(reason.location(), "this host's kernel discarded %s");
        return ACTORS.getOrDefault(reason.reason(), byLocation).replace("%s", datagrams) + " (" + reason.label() + ")";
    }
}
