package org.naklab.lab.core.timeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent.Discarded;

/**
 * Splits the datagrams that sockets dropped by the reason. A socket's own count of drops contains those with a bad checksum.
 *
 * @param all as the sockets counted
 * @param badChecksums of these, those with a bad checksum; 0 where the kernel's reasons are unknown
 * @param withoutMemory of these, those for which UDP had no memory left on the host, whatever room the socket had; 0 where the kernel's reasons are unknown
 * @param farFromFull of these, those of another, unknown reason: at that time the socket was not seen more than half full
 * @param unseen of these, those of an unknown reason while the socket was hardly looked at; null: there are none
 */
public record SocketDrops(
        long all,
        long badChecksums,
        long withoutMemory,
        long farFromFull,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Unseen unseen) {
    /** A socket is filled and read again in less than the shortest stall: samples that are further apart may show neither, ns. */
    private static final long SEEN_NS = 20 * Units.MS_NS;

    /**
     * Counts what was dropped while it was not seen how full the socket was.
     *
     * @param longestNs longest time between two samples of the depth
     */
    public record Unseen(long datagrams, long longestNs) {
        private static final Unseen NONE = new Unseen(0, 0);

        private Unseen and(Unseen other) {
            return new Unseen(datagrams + other.datagrams, Math.max(longestNs, other.longestNs));
        }
    }

    public SocketDrops {
        unseen = unseen == null || unseen.datagrams() == 0 ? null : unseen;
    }

    /** Creates drops without such of an unknown reason. */
    public SocketDrops(long all, long badChecksums) {
        this(all, badChecksums, 0, 0, null);
    }

    private Unseen hardlySeen() {
        return unseen == null ? Unseen.NONE : unseen;
    }

    /**
     * Counts the drops by reason.
     *
     * @param all drops as the sockets counted
     * @param events of the time in which they were counted
     * @param ports of the sockets
     */
    public static SocketDrops of(long all, Collection<TimelineEvent> events, Collection<Integer> ports) {
        List<Discarded> discarded = events.stream()
                .flatMap(TimelineEvent.only(Discarded.class))
                .filter(event -> ports.contains(event.port()))
                .toList();
        long bad = Math.min(all, count(discarded, Discarded.BAD_CHECKSUM));
        long without = Math.min(all - bad, count(discarded, Discarded.NO_MEMORY));
        long full = count(discarded, Discarded.FULL_SOCKET);
        List<SocketEvent.Dropped> shallow = events.stream()
                .flatMap(TimelineEvent.only(SocketEvent.Dropped.class))
                .filter(drop -> ports.contains(drop.port()) && isFarFromFull(drop.fill()))
                .toList();
        long known = bad + without;
        long unexplained = Math.max(0, Math.min(all - known - full, count(shallow) - known));
        List<SocketEvent.Dropped> hardlySeen =
                shallow.stream().filter(drop -> gapNs(drop) >= SEEN_NS).toList();
        long unseen = Math.min(unexplained, count(hardlySeen));
        long gapNs = hardlySeen.stream().mapToLong(SocketDrops::gapNs).max().orElse(0);
        return new SocketDrops(all, bad, without, unexplained - unseen, new Unseen(unseen, gapNs));
    }

    /** The kernel's reason counts more than a depth that was sampled. */
    private static boolean isFarFromFull(SocketEvent.@Nullable Fill fill) {
        return fill != null && 2 * fill.peakBytes() < fill.limitBytes();
    }

    private static long gapNs(SocketEvent.Dropped drop) {
        SocketEvent.Fill fill = drop.fill();
        return fill == null || fill.longestGapNs() == null ? 0 : fill.longestGapNs();
    }

    private static long count(List<SocketEvent.Dropped> drops) {
        return drops.stream().mapToLong(SocketEvent.Dropped::datagrams).sum();
    }

    private static long count(List<Discarded> discarded, String reason) {
        return discarded.stream()
                .filter(event -> event.place().reason().equals(reason))
                .mapToLong(Discarded::count)
                .sum();
    }

    /** Returns these drops and those of another time or process together. */
    public SocketDrops and(SocketDrops other) {
        return new SocketDrops(
                all + other.all,
                badChecksums + other.badChecksums,
                withoutMemory + other.withoutMemory,
                farFromFull + other.farFromFull,
                hardlySeen().and(other.hardlySeen()));
    }

    /** Returns the drops of one of several sockets that dropped alike. */
    public SocketDrops dividedBy(long sockets) {
        return new SocketDrops(
                all / sockets,
                badChecksums / sockets,
                withoutMemory / sockets,
                farFromFull / sockets,
                new Unseen(hardlySeen().datagrams() / sockets, hardlySeen().longestNs()));
    }

    /** Returns those that a full socket dropped, as far as known. */
    public long ofFullSocket() {
        return all - badChecksums - withoutMemory - farFromFull - hardlySeen().datagrams();
    }

    /** Returns whether full sockets dropped all of them, as far as known. */
    public boolean isOverflowOnly() {
        return ofFullSocket() == all;
    }

    /** Returns why they were dropped, as in "300 datagrams, " and then this clause. */
    public String why() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("dropped by a full socket", ofFullSocket());
        parts.put("dropped because of a bad checksum (" + Discarded.BAD_CHECKSUM + ")", badChecksums);
        parts.put(
                "dropped because UDP had no memory left on this host (" + Discarded.NO_MEMORY + ", udp_mem)",
                withoutMemory);
        parts.put("dropped for an unknown reason by a socket that was not seen more than half full", farFromFull);
        parts.put(
                "dropped by a socket that was not looked at for up to "
                        + Format.milliseconds(hardlySeen().longestNs() / Units.NS_PER_MS)
                        + ", so that it is not known whether it was full",
                hardlySeen().datagrams());
        parts.values().removeIf(count -> count == 0);
        if (parts.size() <= 1) {
            return parts.keySet().stream().findFirst().orElse("dropped by a full socket");
        }
        return parts.entrySet().stream()
                .map(part -> String.format(Locale.ROOT, "%,d %s", part.getValue(), part.getKey()))
                .collect(Collectors.joining(", "));
    }
}
