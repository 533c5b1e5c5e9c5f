package org.naklab.lab.core.timeline;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Splits the datagrams that sockets dropped by the reason. A socket's own count of drops contains those with a bad checksum.
 *
 * @param all as the sockets counted
 * @param badChecksums of these, those with a bad checksum; 0 where the kernel's reasons are unknown
 * @param withoutMemory of these, those for which UDP had no memory left on the host, whatever room the socket had; 0 where the kernel's reasons are unknown
 * @param farFromFull of these, those of another, unknown reason: at that time the socket was not seen more than half full
 */
public record SocketDrops(long all, long badChecksums, long withoutMemory, long farFromFull) {
    /** The kernel's word for a bad checksum. */
    public static final String BAD_CHECKSUM = "UDP_CSUM";

    /** The kernel's word for a datagram beyond the memory that all UDP sockets of the host may use ({@code net.ipv4.udp_mem}). */
    public static final String NO_MEMORY = "PROTO_MEM";

    private static final Set<TimelineEventType> COUNTED =
            Set.of(TimelineEventType.DATAGRAMS_DROPPED, TimelineEventType.DATAGRAMS_DISCARDED);

    /** The kernel's word for a full socket. */
    private static final String FULL = "SOCKET_RCVBUFF";

    /** Creates drops without such of an unknown reason. */
    public SocketDrops(long all, long badChecksums) {
        this(all, badChecksums, 0, 0);
    }

    /**
     * Counts the drops by reason.
     *
     * @param all drops as the sockets counted
     * @param events of the time in which they were counted
     * @param ports of the sockets
     */
    public static SocketDrops of(long all, Collection<TimelineEvent> events, Collection<Integer> ports) {
        List<TimelineEvent> ofPorts = events.stream()
                .filter(event -> COUNTED.contains(event.type()))
                .filter(event -> ports.contains((int) event.longDetail("port", 0)))
                .toList();
        long bad = Math.min(all, discarded(ofPorts, BAD_CHECKSUM));
        long without = Math.min(all - bad, discarded(ofPorts, NO_MEMORY));
        long full = discarded(ofPorts, FULL);
        long far = ofPorts.stream()
                .filter(SocketDrops::isFarFromFull)
                .mapToLong(event -> event.longDetail("datagrams", 0))
                .sum();
        long known = bad + without;
        return new SocketDrops(all, bad, without, Math.max(0, Math.min(all - known - full, far - known)));
    }

    /** The kernel's reason counts more than a depth that was sampled. */
    private static boolean isFarFromFull(TimelineEvent event) {
        return event.type() == TimelineEventType.DATAGRAMS_DROPPED
                && event.longDetail("limitBytes", 0) > 0
                && event.detail("peakBytes") instanceof Number peak
                && 2 * peak.longValue() < event.longDetail("limitBytes", 0);
    }

    private static long discarded(List<TimelineEvent> events, String reason) {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DISCARDED)
                .filter(event -> event.textDetail("reason").equals(reason))
                .mapToLong(event -> event.longDetail("count", 0))
                .sum();
    }

    /** Returns these drops and those of another time or process together. */
    public SocketDrops and(SocketDrops other) {
        return new SocketDrops(
                all + other.all,
                badChecksums + other.badChecksums,
                withoutMemory + other.withoutMemory,
                farFromFull + other.farFromFull);
    }

    /** Returns the drops of one of several sockets that dropped alike. */
    public SocketDrops dividedBy(long sockets) {
        return new SocketDrops(all / sockets, badChecksums / sockets, withoutMemory / sockets, farFromFull / sockets);
    }

    /** Returns those that a full socket dropped, as far as known. */
    public long ofFullSocket() {
        return all - badChecksums - withoutMemory - farFromFull;
    }

    /** Returns whether full sockets dropped all of them, as far as known. */
    public boolean isOverflowOnly() {
        return ofFullSocket() == all;
    }

    /** Returns why they were dropped, as in "300 datagrams, " and then this clause. */
    public String why() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("dropped by a full socket", ofFullSocket());
        parts.put("dropped because of a bad checksum (" + BAD_CHECKSUM + ")", badChecksums);
        parts.put("dropped because UDP had no memory left on this host (" + NO_MEMORY + ", udp_mem)", withoutMemory);
        parts.put("dropped for an unknown reason by a socket that was not seen more than half full", farFromFull);
        parts.values().removeIf(count -> count == 0);
        if (parts.size() <= 1) {
            return parts.keySet().stream().findFirst().orElse("dropped by a full socket");
        }
        return parts.entrySet().stream()
                .map(part -> String.format(Locale.ROOT, "%,d %s", part.getValue(), part.getKey()))
                .collect(Collectors.joining(", "));
    }
}
