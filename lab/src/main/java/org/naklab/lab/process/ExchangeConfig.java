package org.naklab.lab.process;

import org.jspecify.annotations.Nullable;

/**
 * The mock exchange's orders.
 *
 * @param sourceFile LOBSTER or ITCH; {@code null}: synthetic flow from the transport's seed
 * @param instruments of the synthetic flow
 * @param arrival of the synthetic flow
 * @param eventsPerSecond constant pace; 0 with {@code speed} 0: as fast as possible
 * @param speed factor on recorded time; 0: constant pace
 * @param gentleStartNs how long a constant pace takes to be reached; 0: at once
 * @param durationNs the flow ends after this long; {@link Long#MAX_VALUE}: when the source ends
 */
public record ExchangeConfig(
        TransportConfig transport,
        @Nullable String sourceFile,
        int instruments,
        ArrivalPattern arrival,
        long eventsPerSecond,
        double speed,
        long gentleStartNs,
        long durationNs) {}
