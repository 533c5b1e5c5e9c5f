package org.naklab.lab.replica.monitor;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.linux.PressureFile;

/**
 * Measures for how long some thread of this machine was runnable without a CPU, from the kernel's pressure stall
 * information. A thread may also wait for one that waits for a CPU, at a safepoint for instance; this counter includes such
 * cases.
 */
public final class CpuPressure {
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");

    private final CounterHistory stalledUs = new CounterHistory();
    private @Nullable PressureFile file = open();

    private static @Nullable PressureFile open() {
        try {
            return Files.isReadable(PRESSURE) ? new PressureFile(PRESSURE) : null;
        } catch (DetectException e) {
            return null;
        }
    }

    /** Allocates nothing. */
    public void sample() {
        PressureFile pressure = file;
        if (pressure == null) {
            return;
        }
        try {
            if (pressure.read()) {
                stalledUs.add(System.nanoTime(), pressure.someUs());
            }
        } catch (DetectException e) {
            // A kernel that has it switched off lets it be opened, but not read.
            pressure.close();
            file = null;
        }
    }

    /** Returns how long some thread had no CPU in the interval, ms; -1 if unknown. */
    public double stalledMsIn(Interval interval) {
        return stalledUs.millisecondsIn(interval, Units.US_NS);
    }
}
