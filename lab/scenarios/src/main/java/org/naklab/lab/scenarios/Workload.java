package org.naklab.lab.scenarios;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.exchange.Preload;

/**
 * The traffic that the exchange sends.
 *
 * @param source LOBSTER or ITCH file; {@code null}: synthetic flow from the seed
 * @param instruments of the synthetic flow
 * @param arrival of the synthetic flow
 * @param eventsPerSecond constant pace; ignored when {@code speed} is not 0
 * @param speed factor on the recorded time of a source; 0: constant pace
 * @param gentleStartNs the constant pace is reached after this long, rising from a tenth; 0: at once
 * @param morning comes before the constant pace, in place of the gentle start; {@code null}: none
 * @param durationNs the flow ends after this long; {@link Long#MAX_VALUE}: at the source's end
 */
public record Workload(
        @Nullable Path source,
        int instruments,
        ArrivalPattern arrival,
        long eventsPerSecond,
        double speed,
        long gentleStartNs,
        @Nullable Preload morning,
        long durationNs) {
    /** A rate that rises evenly from a tenth sends 55 % of what it would send at once. */
    private static final double NOT_SENT_WHILE_RISING = 0.45;

    /** Returns this workload at another constant rate. */
    public Workload withEventsPerSecond(long rate) {
        return new Workload(source, instruments, arrival, rate, speed, gentleStartNs, morning, durationNs);
    }

    /** Returns this workload with another duration, ns. */
    public Workload withDurationNs(long itsNs) {
        return new Workload(source, instruments, arrival, eventsPerSecond, speed, gentleStartNs, morning, itsNs);
    }

    /** Returns this workload after a busy morning, which is added to the duration. */
    public Workload withMorning(Preload its) {
        return new Workload(
                source,
                instruments,
                arrival,
                eventsPerSecond,
                speed,
                gentleStartNs,
                its,
                durationNs + its.durationNs());
    }

    /** Returns the events that come at most; 0 when only the source, or the speed of the machine, knows. */
    public long mostEvents() {
        if (speed != 0 || eventsPerSecond == 0 || durationNs == Long.MAX_VALUE) {
            return 0;
        }
        long morningNs = morning == null ? 0 : morning.durationNs();
        double inMorning = morning == null ? 0 : morning.eventsPerSecond() * (morningNs / Units.NS_PER_S);
        return Math.round(inMorning + eventsPerSecond * ((durationNs - morningNs) / Units.NS_PER_S));
    }

    /** Events that a constant pace comes to; 0 when only the source knows. */
    public long plannedEvents() {
        boolean isPlanned =
                morning == null && source == null && speed == 0 && eventsPerSecond > 0 && durationNs != Long.MAX_VALUE;
        double fullPaceNs = durationNs - gentleStartNs * NOT_SENT_WHILE_RISING;
        return isPlanned ? Math.round(eventsPerSecond * Math.max(0, fullPaceNs) / Units.NS_PER_S) : 0;
    }
}
