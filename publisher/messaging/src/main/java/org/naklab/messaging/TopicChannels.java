package org.naklab.messaging;

import java.util.Objects;

/**
 * Tells where the topics are multicast: each on a group of its own, both behind one base port.
 *
 * @param networkInterface address, host name or address/prefix of the interface, as Aeron's {@code interface} parameter
 * @param ttl hops a datagram may take; 0 never leaves the machine
 * @param basePort UDP port of {@link Topic#ORDER_BOOK_EVENTS}; {@link Topic#ORDER_BOOK_SNAPSHOTS} has the next one
 */
public record TopicChannels(String networkInterface, int ttl, int basePort) {
    /** Administratively scoped (RFC 2365); Aeron wants an odd last octet for data and adds one for control. */
    private static final String EVENTS_GROUP = "239.192.16.1";

    private static final String SNAPSHOTS_GROUP = "239.192.16.3";

    public TopicChannels {
        Objects.requireNonNull(networkInterface);
        if (networkInterface.isBlank()) {
            // Aeron would take any interface then, and the feed might leave the machine.
            throw new IllegalArgumentException("the network interface must be named");
        }
        if (ttl < 0 || ttl > 255) {
            throw new IllegalArgumentException("TTL must be 0 to 255: " + ttl);
        }
        if (basePort < 1024 || basePort > 65_534) {
            throw new IllegalArgumentException("base port must be 1024 to 65534: " + basePort);
        }
    }

    /** Channels that cannot leave the machine. */
    public static TopicChannels onLoopback(int basePort) {
        return new TopicChannels("127.0.0.1", 0, basePort);
    }

    /** The multicast group that carries the topic's data, dotted. */
    public String group(Topic topic) {
        return topic == Topic.ORDER_BOOK_EVENTS ? EVENTS_GROUP : SNAPSHOTS_GROUP;
    }

    public int port(Topic topic) {
        return topic == Topic.ORDER_BOOK_EVENTS ? basePort : basePort + 1;
    }

    /** The Aeron channel of a topic; settings that depend on the transport profile are the driver's. */
    public String uri(Topic topic) {
        return "aeron:udp?endpoint=" + group(topic) + ":" + port(topic) + "|interface=" + networkInterface + "|ttl="
                + ttl;
    }
}
