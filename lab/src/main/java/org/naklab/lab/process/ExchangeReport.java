package org.naklab.lab.process;

import org.jspecify.annotations.Nullable;

/**
 * The exchange's figures.
 *
 * @param published sequenced messages
 * @param digest of them all
 * @param done whether the trailer is out, or the feed cannot go on
 * @param failure why the flow ended before its time; {@code null} when it did not
 */
public record ExchangeReport(
        long published,
        long digest,
        long blockedSends,
        boolean done,
        @Nullable String failure,
        TransportReport transport) {}
