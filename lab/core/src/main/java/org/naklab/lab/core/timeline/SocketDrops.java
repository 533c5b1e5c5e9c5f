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
 * @param farFromFull of these, those of another, unknown reason: at that time the socket was not seen more than half full
 */
public record SocketDrops(long all, long badChecksums, long farFromFull) {
    /** The kernel's word for a bad checksum. */
    public static final String BAD_CHECKSUM = "UDP_CSUM";

    /** The kernel's words for a full socket. */
    private static final Set<String> FULL = Set.of("SOCKET_RCVBUFF", "PROTO_MEM");

    /** Creates drops without such of an unknown reason. */
    public SocketDrops(long all, long badChecksums) {
        this(all, badChecksums, 0);
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
                .filter(event -> ports.contains((int) event.longDetail("port", 0)))
                .toList();
        long bad = Math.min(all, discarded(ofPorts, Set.of(BAD_CHECKSUM)));
        long full = discarded(ofPorts, FULL);
        long far = ofPorts.stream()
                .filter(SocketDrops::isFarFromFull)
                .mapToLong(event -> event.longDetail("datagrams", 0))
                .sum();
        return new SocketDrops(all, bad, Math.max(0, Math.min(all - bad - full, far - bad)));
    }

    /** The kernel's reason counts more than a depth that was sampled. */
    private static boolean isFarFromFull(TimelineEvent event) {
        return event.type() == TimelineEventType.DATAGRAMS_DROPPED
                && event.longDetail("limitBytes", 0) > 0
                && event.detail("peakBytes") instanceof Number peak
                && 2 * peak.longValue() < event.longDetail("limitBytes", 0);
    }

    private static long discarded(List<TimelineEvent> events, Set<String> reasons) {
        return events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DISCARDED)
                .filter(event -> reasons.contains(event.textDetail("reason")))
                .mapToLong(event -> event.longDetail("count", 0))
                .sum();
    }

    /** Returns whether full sockets dropped all of them, as far as known. */
    public boolean isOverflowOnly() {
        return badChecksums == 0 && farFromFull == 0;
    }

    /** Returns why they were dropped, as in "300 datagrams, " and then this clause. */
    public String why() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("dropped by a full socket", all - badChecksums - farFromFull);
        parts.put("dropped because of a bad checksum (" + BAD_CHECKSUM + ")", badChecksums);
        parts.put("dropped for an unknown reason by a socket that was far from full", farFromFull);
        parts.values().removeIf(count -> count == 0);
        if (parts.size() <= 1) {
            return parts.keySet().stream().findFirst().orElse("dropped by a full socket");
        }
        return parts.entrySet().stream()
                .map(part -> String.format(Locale.ROOT, "%,d %s", part.getValue(), part.getKey()))
                .collect(Collectors.joining(", "));
    }
}
