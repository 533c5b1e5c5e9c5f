package org.naklab.lab.process;

import java.nio.file.Path;
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
    /** Long enough for some reads at any limit that is of use. */
    private static final long SPENDING_NS = 500_000_000;

    private EvictionProbe() {}

    /**
     * Binds late once.
     *
     * @param arguments a directory on the disk whose reads are limited
     */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield lazyYield = LazyYield.load(libraries);
            Fault reads = reads(directory);
            reads.arm();
            long untilNs = System.nanoTime() + SPENDING_NS;
            while (System.nanoTime() - untilNs < 0) {
                LockSupport.parkNanos(untilNs - System.nanoTime());
            }
            LazyYield.evict();
            lazyYield.yieldOnce();
            YieldMeasurement measurement = lazyYield.measurement();
            reads.disarm();
            System.out.println(Json.line(Json.object()
                    .put("majorFaults", measurement.majorFaults())
                    .put("minorFaults", measurement.minorFaults())
                    .put("durationNs", measurement.durationNs())));
        }
    }

    private static Fault reads(Path directory) {
        FaultSpec spec =
                FaultSpec.of("disk-reads", NAME, new DiskReadsFault.Parameters(directory.toString(), 0, READERS));
        return new DiskReadsFault().create(spec, new FaultSite(NAME), 0);
    }
}
