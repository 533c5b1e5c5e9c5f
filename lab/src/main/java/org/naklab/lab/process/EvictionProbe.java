package org.naklab.lab.process;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.faults.kind.DiskReadsFault;

/**
 * Main class of a process that binds late once, with its pages evicted and its reads' budget spent, and prints how long that
 * took: how a host turns a limit on reads into a stall.
 */
public final class EvictionProbe {
    /** Threads that spend the reads' budget, in the probe and where pages are evicted. */
    public static final int READERS = 1;

    private static final String NAME = "probe";
    /**
     * From the first read to the yield, less how long that is to wait for its turn: a multiple of the kernel's throttle slice, and
     * enough for some reads at any limit that is of use.
     */
    private static final long SPENDING_NS = 600_000_000;

    private static final long EVICTED_BEFORE_NS = 20_000_000;

    private EvictionProbe() {}

    /**
     * Binds late once.
     *
     * @param arguments a directory on the disk whose reads are limited; how many milliseconds before the end of one of the kernel's
     *     throttle slices the yield is to begin
     */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        long firstWaitNs = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield lazyYield = LazyYield.load(libraries);
            Fault reads = reads(directory);
            reads.arm();
            long yieldNs = System.nanoTime() + SPENDING_NS - firstWaitNs;
            waitUntil(yieldNs - EVICTED_BEFORE_NS);
            LazyYield.evict();
            waitUntil(yieldNs);
            lazyYield.yieldOnce();
            YieldMeasurement measurement = lazyYield.measurement();
            reads.disarm();
            System.out.println(Json.line(Json.object()
                    .put("majorFaults", measurement.majorFaults())
                    .put("minorFaults", measurement.minorFaults())
                    .put("durationNs", measurement.durationNs())));
        }
    }

    private static void waitUntil(long timeNs) {
        while (System.nanoTime() - timeNs < 0) {
            LockSupport.parkNanos(timeNs - System.nanoTime());
        }
    }

    private static Fault reads(Path directory) {
        FaultSpec spec =
                FaultSpec.of("disk-reads", NAME, new DiskReadsFault.Parameters(directory.toString(), 0, READERS));
        return new DiskReadsFault().create(spec, new FaultSite(NAME), 0);
    }
}
