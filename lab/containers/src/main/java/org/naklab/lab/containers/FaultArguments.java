package org.naklab.lab.containers;

import java.time.Duration;
import org.naklab.faults.FaultException;
import org.naklab.lab.core.UsageException;

/** Checks the arguments of faults. */
public final class FaultArguments {
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(10);
    private static final double HUNDRED = 100;

    private FaultArguments() {}

    /** Converts a percentage to a share, 0 to 1. */
    public static double share(String what, double percent) {
        if (!(percent >= 0 && percent <= HUNDRED)) {
            throw new UsageException(what + " must be 0 to 100 percent: " + percent);
        }
        return percent / HUNDRED;
    }

    /**
     * Checks a percentage of a plan, from 0 to 100.
     *
     * @throws FaultException if it is out of bounds
     */
    public static void percent(String name, double percent) {
        if (!(percent >= 0 && percent <= HUNDRED)) {
            throw new FaultException(name + " must be from 0 to 100: " + percent);
        }
    }

    public static long delayNs(String what, Duration delay) {
        if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
            throw new UsageException(what + " must be 0 to " + LONGEST_DELAY.toSeconds() + " s: " + delay);
        }
        return delay.toNanos();
    }

    public static long positive(String what, long value) {
        if (value <= 0) {
            throw new UsageException(what + " must be above 0: " + value);
        }
        return value;
    }
}
