package org.naklab.lab.process;

import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;

/**
 * What every process of the replica is told about its messaging context.
 *
 * @param name of the process; its context thread is {@code <name>-context}
 * @param aeronDirectory the process's own; it deletes it at its end
 * @param receiveBufferBytes SO_RCVBUF to ask for; 0 is the profile's default
 * @param feedMtuBytes longest datagram of the order flow; 0 is the profile's default
 * @param seed of the transport's random choices (NAK back-off)
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
        long stallThresholdNs,
        Idle idle) {}
