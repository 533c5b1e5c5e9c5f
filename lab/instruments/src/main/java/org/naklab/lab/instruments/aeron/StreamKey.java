package org.naklab.lab.instruments.aeron;

/**
 * One publisher's stream as one driver sees it.
 *
 * @param registrationId of the image or the publication in its driver
 * @param channel as the driver was asked for it, cut to what fits a counter's key
 */
public record StreamKey(long registrationId, int sessionId, int streamId, String channel) {}
