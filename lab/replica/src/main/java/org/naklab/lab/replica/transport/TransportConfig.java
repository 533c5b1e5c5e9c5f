package org.naklab.lab.replica.transport;

import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/**
 * The configuration of a process's messaging context.
 *
 * @param name of the process; its context thread is {@code <name>-context}
 * @param aeronDirectory the process's own; it deletes it at its end
 * @param receiveBufferBytes SO_RCVBUF to ask for; 0 is the profile's default
 * @param feedMtuBytes longest datagram of the order flow; 0 is the profile's default
 * @param seed of the transport's random choices (NAK back-off)
 * @param feedId of the feed that the process is part of; {@link org.naklab.messaging.feed.FeedId#UNKNOWN}: it takes the first that it hears
 * @param stallThresholdNs a duty cycle at least this long is reported as a stall
 */
public record TransportConfig(
        String name,
        TopicChannels channels,
        TransportProfile profile,
        String aeronDirectory,
        int receiveBufferBytes,
        int feedMtuBytes,
        long seed,
        long feedId,
        long stallThresholdNs,
        IdleMode idle) {
    /** Returns this configuration for a container whose host name, and therefore whose only address, is the name of the process. */
    public TransportConfig inContainer(TopicChannels itsChannels, String directory, int mtuBytes) {
        return new TransportConfig(
                name,
                itsChannels,
                profile,
                directory,
                receiveBufferBytes,
                mtuBytes,
                seed,
                feedId,
                stallThresholdNs,
                idle);
    }

    /** Returns this configuration with another longest datagram of the order flow; 0 is the profile's default. */
    public TransportConfig withFeedMtuBytes(int bytes) {
        return new TransportConfig(
                name,
                channels,
                profile,
                aeronDirectory,
                receiveBufferBytes,
                bytes,
                seed,
                feedId,
                stallThresholdNs,
                idle);
    }
}
