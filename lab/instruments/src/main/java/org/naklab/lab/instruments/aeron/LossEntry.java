package org.naklab.lab.instruments.aeron;

/**
 * An entry of Aeron's loss report: what was missing of a stream, repaired or not.
 */
public record LossEntry(Loss loss, Stream stream) {
    /**
     * Tells how much was lost, and when.
     *
     * @param observations times that a gap was seen
     * @param bytesLost bytes missing in all of them
     * @param firstObservedEpochMs epoch milliseconds, by the driver's clock
     * @param lastObservedEpochMs epoch milliseconds, by the driver's clock
     */
    public record Loss(long observations, long bytesLost, long firstObservedEpochMs, long lastObservedEpochMs) {}

    /**
     * Names the stream.
     *
     * @param source address of the publisher
     */
    public record Stream(int sessionId, int streamId, String channel, String source) {}
}
