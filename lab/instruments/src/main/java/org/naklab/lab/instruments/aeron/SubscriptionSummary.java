package org.naklab.lab.instruments.aeron;

/**
 * Sums up what a watch has seen of one stream that a client subscribes to.
 *
 * @param maxDepthBytes the most that was left to poll
 * @param windowBytes the depth at which the publisher must wait; {@link #UNKNOWN} of a stream from the network
 * @param longestStandstillNs the longest time in which the client did not poll although there was something, ns
 * @param isPolled whether the client was seen to poll
 */
public record SubscriptionSummary(
        Stream stream, long maxDepthBytes, long windowBytes, long longestStandstillNs, boolean isPolled) {
    /**
     * Names the stream.
     *
     * @param channel of the subscription, truncated to the length of a counter's key
     * @param isIpc whether the publisher is on the same machine: the depth is the publisher's position minus the subscriber's
     */
    public record Stream(String channel, int streamId, int sessionId, boolean isIpc) {}

    public static final long UNKNOWN = -1;
}
