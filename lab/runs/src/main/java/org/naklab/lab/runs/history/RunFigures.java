package org.naklab.lab.runs.history;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * A run's counts.
 *
 * @param stalls of 20 ms or more after the warm-up
 */
public record RunFigures(
        @JsonUnwrapped Traffic traffic, @JsonUnwrapped Harm harm, int stalls, double longestStallMs) {
    /**
     * Counts the messages and the NAKs.
     *
     * @param messages published by the exchange
     * @param naks of all subscribers
     * @param serviceNaks of the market data service alone; {@code null} if it exited without a final report
     */
    public record Traffic(
            long messages, long naks, @Nullable Long serviceNaks) {}

    /**
     * Counts what was lost and held up.
     *
     * @param maxSocketDepthBytes of the deepest of the subscribers' sockets
     */
    public record Harm(long datagramsDropped, long retransmits, long blockedSends, long maxSocketDepthBytes) {}
}
