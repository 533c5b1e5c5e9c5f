package org.naklab.messaging;

/**
 * What one stream lost, as Aeron's loss report has it; repaired or not.
 *
 * @param observations gaps seen
 * @param bytesLost bytes in those gaps
 * @param firstObservedEpochMs wall clock
 * @param lastObservedEpochMs wall clock
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
