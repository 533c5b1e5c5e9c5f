package org.naklab.lab.tools.tune.workload;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.naklab.lab.core.Median;
import org.naklab.lab.core.Units;

/** Allocates small objects of which each collection has to copy some: how long the application stands still depends on the collector and on its threads. */
public final class CollectorLoad {
    private static final int OBJECT_BYTES = 256;
    private static final int LIVE_OBJECTS = 200_000;
    private static final long ROUND_BYTES = 2L << 30;
    private static final int WARM_UPS = 1;

    private final Object[] live = new Object[LIVE_OBJECTS];

    private record Round(double pauseUs, double cpuMs) {}

    /**
     * Returns the mean pause of each round, µs.
     *
     * @throws IllegalStateException no collection took place
     */
    public WorkloadResult run(int rounds) {
        List<Round> measured = new ArrayList<>();
        for (int round = -WARM_UPS; round < rounds; round++) {
            Round one = round();
            if (round >= 0) {
                measured.add(one);
            }
        }
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        return new WorkloadResult(
                measured.stream().map(Round::pauseUs).toList(),
                List.of(new Figure(
                        "CPU for 2 GiB of garbage, ms",
                        Median.of(measured.stream().mapToDouble(Round::cpuMs)))),
                List.of(
                        "collectors: " + collectors,
                        option("ParallelGCThreads") + " collector threads on "
                                + Runtime.getRuntime().availableProcessors() + " processors"));
    }

    private Round round() {
        long beganCpuNs = cpuNs();
        long beganMs = pausesMs();
        long began = pauses();
        for (long i = 0; i < ROUND_BYTES / OBJECT_BYTES; i++) {
            live[(int) (i % LIVE_OBJECTS)] = new byte[OBJECT_BYTES - 16];
        }
        long count = pauses() - began;
        if (count == 0) {
            throw new IllegalStateException("no collection took place: the heap is too large for this workload");
        }
        return new Round((pausesMs() - beganMs) * Units.US_PER_MS / count, (cpuNs() - beganCpuNs) / Units.NS_PER_MS);
    }

    private static long pauses() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long pausesMs() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    private static long cpuNs() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static String option(String name) {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption(name)
                .getValue();
    }
}
