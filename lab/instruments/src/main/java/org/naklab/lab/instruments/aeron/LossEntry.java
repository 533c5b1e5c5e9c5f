package org.naklab.lab.instruments.aeron;

/**
 * An entry of Aeron's loss report: what was missing of a stream, repaired or not.
 *
 * @param observations times that a gap was seen
 * @param bytesLost bytes missing in all of them
 * @param firstObservedEpochMs epoch milliseconds, by the driver's clock
 * @param lastObservedEpochMs epoch milliseconds, by the driver's clock
 * @param source address of the publisher
 */
public record LossEntry(
        long observations,
        long bytesLost,
        long firstObservedEpochMs,
        long lastObservedEpochMs,
        int sessionId,
        int streamId,
        String channel,
        String source) {}
