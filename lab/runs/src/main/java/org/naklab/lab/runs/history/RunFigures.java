package org.naklab.lab.runs.history;

import org.jspecify.annotations.Nullable;

/**
 * A run's counts.
 *
 * @param messages published by the exchange
 * @param naks of all subscribers
 * @param serviceNaks of the market data service alone; {@code null} if it exited without a final report
 * @param maxSocketDepthBytes of the deepest of the subscribers' sockets
 * @param stalls of 20 ms or more after the warm-up
 */
public record RunFigures(
        long messages,
        long naks,
        @Nullable Long serviceNaks,
        long datagramsDropped,
        long retransmits,
        long blockedSends,
        long maxSocketDepthBytes,
        int stalls,
        double longestStallMs) {}
