package org.naklab.lab.containers.pace;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.Units;

/**
 * Finds how many reads per second a container may make so that a late bind takes as long as wanted. The bind's reads wait for their
 * turn, and how many there are depends on the host's libraries and on how far its kernel reads ahead: so binds are tried, a bounded
 * number of times and for a bounded time.
 */
public final class ReadCalibration {
    static final int MOST_TRIES = 6;
    /** Latest begin of a trial after the first one, ns. */
    static final long MOST_NS = TimeUnit.SECONDS.toNanos(20);
    /** Tolerated error as a share of the wanted length; the spread of a bind is added. */
    private static final double TOLERATED_ERROR = 0.2;

    private final ReadTrial trial;
    private final LongSupplier clock;
    private final PreparationListener listener;

    /** @param clock ns, monotonic */
    ReadCalibration(ReadTrial trial, LongSupplier clock, PreparationListener listener) {
        this.trial = trial;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Binds late in containers of their own.
     *
     * @param device path of the device file of the disk behind the engine's volumes
     */
    public static ReadCalibration inContainers(String device, PreparationListener listener) {
        return new ReadCalibration(new ContainedTrial(device), System::nanoTime, listener);
    }

    /**
     * Binds late in processes of this machine.
     *
     * @param directory on the disk whose reads become slow
     */
    public static ReadCalibration onHost(Path directory, PreparationListener listener) {
        return new ReadCalibration(new HostTrial(directory), System::nanoTime, listener);
    }

    /** Returns the longest duration of a calibration, ns: the last trial may begin at the last moment. */
    public static long longestNs() {
        return MOST_NS + ContainedTrial.longestNs();
    }

    /**
     * Tries until a bind takes about as long as wanted, or no try is left.
     *
     * @param stallNs how long a late bind is to take, ns
     * @return the nearest of all that were tried
     * @throws LabException when no try had a page to wait for
     */
    public ReadThrottle calibrate(long stallNs) {
        long beganNs = clock.getAsLong();
        Set<ReadThrottle> tried = new HashSet<>();
        ReadThrottle pace = ReadThrottle.near(stallNs);
        @Nullable ReadThrottle nearest = null;
        double leastError = Double.MAX_VALUE;
        int tries = 0;
        while (leastError > TOLERATED_ERROR && tries < MOST_TRIES && clock.getAsLong() - beganNs < MOST_NS) {
            tries++;
            tried.add(pace);
            listener.onStep(describe(tries, pace) + ": a late bind");
            ReadTrial.Bind bind = trial.bind(pace);
            if (bind.majorFaults() == 0) {
                listener.onFinding(describe(tries, pace) + ": no page was missing, so the bind did not wait");
                continue;
            }
            listener.onFinding(describe(tries, pace) + ": " + compare(bind, stallNs));
            double error = Math.abs((double) bind.durationNs() / stallNs - 1);
            if (error < leastError) {
                nearest = pace;
                leastError = error;
            }
            ReadThrottle next = ReadThrottle.forFaults(stallNs, bind.majorFaults());
            pace = tried.contains(next) ? pace.corrected(bind.durationNs(), stallNs) : next;
        }
        return conclude(nearest, leastError, tries, clock.getAsLong() - beganNs);
    }

    private ReadThrottle conclude(@Nullable ReadThrottle nearest, double leastError, int tries, long tookNs) {
        String effort = (tries == 1 ? "1 attempt" : tries + " attempts") + " in " + Format.seconds(tookNs);
        if (nearest == null) {
            throw new LabException("the stall cannot be calibrated: in " + effort
                    + " evicted pages were read back immediately; end other containers of the image, or use "
                    + "--fidelity audited");
        }
        String doubt =
                leastError > TOLERATED_ERROR ? ", the nearest one; the stall may differ from the requested length" : "";
        listener.onFinding(effort + ": " + nearest.readsPerSecond() + " reads per second" + doubt);
        return nearest;
    }

    private static String describe(int number, ReadThrottle pace) {
        return "attempt " + number + " of " + MOST_TRIES + ", " + pace.readsPerSecond() + " reads per second";
    }

    private static String compare(ReadTrial.Bind bind, long stallNs) {
        double percent = ((double) bind.durationNs() / stallNs - 1) * 100;
        return String.format(
                Locale.ROOT,
                "the bind waited for %d pages and took %.1f ms, %.0f %% %s than the requested %.0f ms",
                bind.majorFaults(),
                bind.durationNs() / Units.NS_PER_MS,
                Math.abs(percent),
                percent < 0 ? "shorter" : "longer",
                stallNs / Units.NS_PER_MS);
    }
}
