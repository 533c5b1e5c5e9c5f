package org.naklab.lab.containers.relay;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which datagrams are lost. The choice is a function of the seed, the destination and the number of the datagram among those to this
 * destination since the relay began: datagrams to other ports, and the times at which they come, change nothing. A destination is a port, and
 * for multicast its group; the address of the container does not count, because the engine assigns it.
 *
 * <p>Fragments of one datagram share its fate. Not thread-safe.
 */
final class LossChoice {
    /** More than there are ports: a destination that was forgotten would be counted from 1 again. */
    private static final int MOST_DESTINATIONS = 1 << 17;

    private static final int MOST_FRAGMENTED = 1 << 12;
    /** The golden ratio of SplitMix64, which spreads successive numbers. */
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private static final int DOUBLE_BITS = 53;
    private static final double DOUBLE_UNIT = 0x1.0p-53;

    private final double share;
    private final long seed;
    private final Map<Destination, Long> counts = bounded(MOST_DESTINATIONS);
    private final Map<Fragmented, Boolean> fates = bounded(MOST_FRAGMENTED);

    /**
     * Creates the choice.
     *
     * @param share part, 0 to 1, of the datagrams
     */
    LossChoice(double share, long seed) {
        this.share = share;
        this.seed = seed;
    }

    /**
     * Tells where a datagram goes.
     *
     * @param group the IPv4 address of a multicast group; 0 for unicast
     */
    record Destination(int group, int port) {
        /** Returns {@code 239.192.16.9:20900}, or {@code port 20900} for unicast. */
        String text() {
            return group == 0
                    ? "port " + port
                    : (group >>> 24) + "." + (group >>> 16 & 0xFF) + "." + (group >>> 8 & 0xFF) + "." + (group & 0xFF)
                            + ":" + port;
        }

        private long key() {
            return (long) group << Short.SIZE ^ port;
        }
    }

    /** The datagram that a fragment is a part of. */
    record Fragmented(int source, int destination, int identification) {}

    /**
     * The fate of a frame.
     *
     * @param isLost whether the frame disappears
     * @param destination of the datagram that begins in this frame; {@code null} for a later fragment
     * @param number of the datagram among those to the destination, from 1; 0 for a later fragment
     */
    record Fate(boolean isLost, @Nullable Destination destination, long number) {}

    /** Decides about the next frame. */
    Fate decide(byte[] frame) {
        if (!UdpFrame.beginsDatagram(frame)) {
            boolean isLost = fates.getOrDefault(UdpFrame.fragmented(frame), false);
            return new Fate(isLost, null, 0);
        }
        Destination destination = UdpFrame.destination(frame);
        long number = counts.merge(destination, 1L, Long::sum);
        boolean isLost = isLost(destination, number);
        if (UdpFrame.hasMoreFragments(frame)) {
            fates.put(UdpFrame.fragmented(frame), isLost);
        }
        return new Fate(isLost, destination, number);
    }

    /**
     * Returns whether a datagram is lost.
     *
     * @param number of the datagram among those to the destination, from 1
     */
    boolean isLost(Destination destination, long number) {
        long mixed = mixed(mixed(seed + GAMMA * destination.key()) + GAMMA * number);
        return (mixed >>> (Long.SIZE - DOUBLE_BITS)) * DOUBLE_UNIT < share;
    }

    /** Mixes all bits, with the constants of SplitMix64 (David Stafford's variant 13). */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    private static <K, V> Map<K, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }
}
