package org.naklab.lab.replica.monitor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** For how long this JVM's collectors stopped all threads over the last while. */
public final class GcPauses {
    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final CounterHistory stoppedMs = new CounterHistory();

    public void sample() {
        long totalMs = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            totalMs += Math.max(0, collector.getCollectionTime());
        }
        stoppedMs.add(System.nanoTime(), totalMs);
    }

    /** From the last sample before that time until the newest. */
    public long stoppedMsSince(long beginNs) {
        return stoppedMs.growthSince(beginNs);
    }
}
