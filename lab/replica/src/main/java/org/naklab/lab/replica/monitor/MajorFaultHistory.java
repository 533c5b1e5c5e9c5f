package org.naklab.lab.replica.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.threads.ThreadStat;

/**
 * Major page faults of one thread, and how long it waited for a processor that others had, over the last while, from proc(5).
 * Sampled by one thread; watched from another.
 */
public final class MajorFaultHistory {
    private static final Path SELF = Path.of("/proc/thread-self");
    private final CounterHistory faults = new CounterHistory();
    private final CounterHistory waitsNs = new CounterHistory();
    private volatile @Nullable Path thread;
    private @Nullable ThreadStat figures;
    private boolean isGone;

    /** Makes the calling thread the observed one. */
    public void watchCurrentThread() {
        if (thread != null || !Files.exists(SELF)) {
            return;
        }
        try {
            thread = ProcPaths.ROOT.resolve(Files.readSymbolicLink(SELF));
        } catch (IOException e) {
            // Stays unknown, and is reported as such.
            thread = null;
        }
    }

    /**
     * Allocates nothing but at the first call: a collection of this JVM's would be a stall of the lab's own making.
     *
     * @return false if there would have been something to read, but not now: in a container at its limit, the kernel may have no memory
     *     to print it
     */
    public boolean sample() {
        Path directory = thread;
        if (directory == null || isGone) {
            return true;
        }
        ThreadStat current = figuresIn(directory);
        if (current == null) {
            isGone = true;
            return true;
        }
        try {
            isGone = !current.read();
        } catch (DetectException notNow) {
            return false;
        }
        if (!isGone) {
            long nowNs = System.nanoTime();
            faults.add(nowNs, current.majorFaults());
            waitsNs.add(nowNs, current.runDelayNs());
        }
        return true;
    }

    /** Opens the figures; {@code null} where the kernel keeps none: then nothing is known, and this is reported. */
    private @Nullable ThreadStat figuresIn(Path directory) {
        if (figures == null) {
            try {
                figures = ThreadStat.open(directory);
            } catch (DetectException unknown) {
                return null;
            }
        }
        return figures;
    }

    /** Returns the thread's major faults from the last sample before the interval to the first after it; -1 if unknown. */
    public long in(Interval interval) {
        return faults.growthIn(interval);
    }

    /** Returns how long the thread was runnable in the interval and had no CPU, ms; -1 if unknown. */
    public double waitMsIn(Interval interval) {
        return waitsNs.millisecondsIn(interval, 1);
    }
}
