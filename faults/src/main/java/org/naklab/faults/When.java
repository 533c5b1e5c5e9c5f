package org.naklab.faults;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a fault is armed: so long after the start or after a trigger, and then, if wanted, at the next phase of the wall
 * clock's second. Snapshots go out at phase 0.
 *
 * @param trigger name that the run calls out; null: the start of the plan
 * @param afterMs milliseconds from there
 * @param phaseOfSecondMs from 0 to 999; null: at once
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record When(
        @Nullable String trigger, long afterMs, @Nullable Integer phaseOfSecondMs) {
    static final When AT_START = new When(null, 0, null);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    public When {
        Limits.within("when: afterMs", afterMs, 0, FaultSpec.MAX_FOR_MS);
        if (phaseOfSecondMs != null) {
            Limits.within("when: phaseOfSecondMs", phaseOfSecondMs, 0, 999);
        }
    }

    public static When afterMs(long afterMs) {
        return new When(null, afterMs, null);
    }

    public static When onTrigger(String trigger) {
        return new When(trigger, 0, null);
    }

    /** At the first second boundary at or after so many milliseconds. */
    public static When atSecondBoundary(long afterMs) {
        return new When(null, afterMs, 0);
    }

    /** Monotonic time at which to arm, given that of the start or trigger. */
    long dueNs(long baseNs, FaultClock clock) {
        long dueNs = baseNs + TimeUnit.MILLISECONDS.toNanos(afterMs);
        if (phaseOfSecondMs == null) {
            return dueNs;
        }
        long epochNs = clock.epochNs() + (dueNs - clock.monotonicNs());
        long phaseNs = TimeUnit.MILLISECONDS.toNanos(phaseOfSecondMs);
        return dueNs + Math.floorMod(phaseNs - epochNs, SECOND_NS);
    }
}
