package org.naklab.lab.instruments.aeron;

/**
 * An entry of Aeron's loss report: what was missing of a stream, repaired or not.
 *
 * @param observations times that a gap was seen
 * @param totalBytes missing in all of them
 * @param firstObservedMs epoch milliseconds, by the driver's clock
 * @param lastObservedMs epoch milliseconds, by the driver's clock
 * @param source address of the publisher
 */
public record LossEntry(
        long observations,
        long totalBytes,
        long firstObservedMs,
        long lastObservedMs,
        int sessionId,
        int streamId,
        String channel,
        String source) {}
