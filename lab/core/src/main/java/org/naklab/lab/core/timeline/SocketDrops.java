package org.naklab.lab.core.timeline;

import java.util.Collection;
import java.util.Locale;

/**
 * Splits the datagrams that sockets dropped by the kernel's reason. A socket's own count of drops contains those with a bad checksum.
 *
 * @param all as the sockets counted
 * @param badChecksums of these, those with a bad checksum; 0 where the kernel's reasons are unknown
 */
public record SocketDrops(long all, long badChecksums) {
    /** The kernel's word for a bad checksum. */
    public static final String BAD_CHECKSUM = "UDP_CSUM";

    /**
     * Counts the drops because of bad checksums.
     *
     * @param all drops as the sockets counted
     * @param events of the time in which they were counted
     * @param ports of the sockets
     */
    public static SocketDrops of(long all, Collection<TimelineEvent> events, Collection<Integer> ports) {
        long bad = events.stream()
                .filter(event -> event.type() == TimelineEventType.DATAGRAMS_DISCARDED)
                .filter(event -> event.textDetail("reason").equals(BAD_CHECKSUM))
                .filter(event -> ports.contains((int) event.longDetail("port", 0)))
                .mapToLong(event -> event.longDetail("count", 0))
                .sum();
        return new SocketDrops(all, Math.min(all, bad));
    }

    /** Returns why they were dropped, as in "300 datagrams, " and then this clause. */
    public String why() {
        if (badChecksums == 0) {
            return "dropped by a full socket";
        }
        String checksum = "dropped because of a bad checksum (" + BAD_CHECKSUM + ")";
        return badChecksums == all
                ? checksum
                : String.format(
                        Locale.ROOT,
                        "%,d dropped by a full socket, %,d %s",
                        all - badChecksums,
                        badChecksums,
                        checksum);
    }
}
