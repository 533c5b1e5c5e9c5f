package org.naklab.lab.scenario;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.ArrivalPattern;

/**
 * What the exchange sends.
 *
 * @param source LOBSTER or ITCH file; {@code null}: synthetic flow from the seed
 * @param instruments of the synthetic flow
 * @param arrival of the synthetic flow
 * @param eventsPerSecond constant pace; ignored when {@code speed} is not 0
 * @param speed factor on the recorded time of a source; 0: constant pace
 * @param durationNs the flow ends after this long; {@link Long#MAX_VALUE}: at the source's end
 */
public record Workload(
        @Nullable Path source,
        int instruments,
        ArrivalPattern arrival,
        long eventsPerSecond,
        double speed,
        long durationNs) {
    private static final double NS_PER_SECOND = 1e9;

    /** Events that a constant pace comes to; 0 when only the source knows. */
    public long plannedEvents() {
        boolean isPlanned = source == null && speed == 0 && eventsPerSecond > 0 && durationNs != Long.MAX_VALUE;
        return isPlanned ? Math.round(eventsPerSecond * (durationNs / NS_PER_SECOND)) : 0;
    }
}
