package org.naklab.lab.containers.pace;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.binding.LazyYield;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.binding.YieldMeasurement;
import org.naklab.faults.host.DiskReadsFault;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.ChildCommand;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ControlCommand;
import org.naklab.lab.process.ProcessEvent;

/**
 * Main class of a process that binds late once, with its pages evicted and its reads' budget spent, and tells how long that took: how
 * a host turns a limit on reads into a stall. It is ready when all that it needs is in memory; then its reads may become slow.
 */
public final class EvictionProbe {
    /** Threads that spend the reads' budget, in the probe and where pages are evicted. */
    public static final int READERS = 1;

    private static final String NAME = "probe";
    private static final long TICK_MS = 100;
    /**
     * Time from the first read to the yield, ns, without the wait for the turn: a multiple of the kernel's throttle slice,
     * and enough for some reads at any useful limit.
     */
    private static final long SPENDING_NS = 600_000_000;

    private static final long EVICTED_BEFORE_NS = 20_000_000;

    private EvictionProbe() {}

    /**
     * The configuration, sent on the first line of standard input.
     *
     * @param directory on the disk whose reads are limited
     * @param firstWaitMs how many milliseconds before the end of one of the kernel's throttle slices the yield is to begin
     * @param group directory of the control group that the process joins; {@code null}: it stays where it is
     */
    record Config(
            String directory, long firstWaitMs, @Nullable String group) {}

    public static void main(String[] arguments) throws InterruptedException {
        ControlChannel link = ControlChannel.ofProcess();
        Config config = arguments[0].equals(ChildCommand.STANDARD_INPUT)
                ? Json.fromLine(link.firstLine(), Config.class)
                : Json.read(Path.of(arguments[0]), Config.class);
        if (config.group() != null) {
            CgroupPaths.join(Path.of(config.group()));
        }
        try (NativeLibraries libraries = NativeLibraries.open()) {
            LazyYield lazyYield = LazyYield.load(libraries);
            Fault reads = reads(Path.of(config.directory()));
            loadClassesOfAnswer(lazyYield);
            link.report(ProcessEvent.Ready.now());
            if (isToBind(link)) {
                link.report(ProcessEvent.Bound.of(
                        bind(lazyYield, reads, TimeUnit.MILLISECONDS.toNanos(config.firstWaitMs()))));
            }
        }
        System.exit(0);
    }

    /** Makes an answer that nobody gets: to load a class later would read a page while reads are slow. */
    private static void loadClassesOfAnswer(LazyYield lazyYield) {
        String unused = Json.line(ProcessEvent.Bound.of(lazyYield.measurement()));
    }

    /** Waits for the command to bind; returns false if the lab ends first. */
    private static boolean isToBind(ControlChannel link) throws InterruptedException {
        for (; ; ) {
            ControlCommand command = link.poll(TICK_MS);
            if (command == ControlCommand.BIND || command == ControlCommand.END) {
                return command == ControlCommand.BIND;
            }
        }
    }

    private static YieldMeasurement bind(LazyYield lazyYield, Fault reads, long firstWaitNs) {
        reads.arm();
        long yieldNs = System.nanoTime() + SPENDING_NS - firstWaitNs;
        waitUntil(yieldNs - EVICTED_BEFORE_NS);
        LazyYield.evict();
        waitUntil(yieldNs);
        lazyYield.yieldOnce();
        YieldMeasurement measurement = lazyYield.measurement();
        reads.disarm();
        return measurement;
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
