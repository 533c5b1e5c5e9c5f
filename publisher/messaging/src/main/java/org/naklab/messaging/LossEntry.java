package org.naklab.messaging;

/**
 * Tells what one stream lost, as Aeron's loss report has it; repaired or not.
 */
public record LossEntry(Loss loss, Stream stream) {
    /**
     * Tells how much was lost, and when.
     *
     * @param observations gaps seen
     * @param bytesLost bytes in those gaps
     * @param firstObservedEpochMs wall clock
     * @param lastObservedEpochMs wall clock
     */
    public record Loss(long observations, long bytesLost, long firstObservedEpochMs, long lastObservedEpochMs) {}

    /**
     * Names the stream.
     *
     * @param source address of the publisher
     */
    public record Stream(int sessionId, int streamId, String channel, String source) {}
}
