package org.naklab.lab.replica.monitor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;

/** Records for how long the collectors of this JVM stopped all threads. */
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

    /** Returns how long collectors had stopped all threads in the interval, ms; -1 if unknown. */
    public long stoppedMsIn(Interval interval) {
        return Math.round(stoppedMs.millisecondsIn(interval, Units.MS_NS));
    }
}
