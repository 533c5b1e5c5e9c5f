package org.naklab.lab.diagnosis.readings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.Interval;

/** Tells when the quota of its cgroup kept the threads of a process from a CPU. */
public final class CpuQuota {
    private final String cgroup;
    private final Function<Interval, List<HostEvent.Throttled>> near;

    /**
     * A part of a wait for a CPU in which the quota was used up.
     *
     * @param cgroup path of the cgroup
     */
    public record Throttling(Interval interval, String cgroup) {
        /** Returns the detail of the account, which names the thread of the process for which the stalled thread waited. */
        public String detailOf(String thread) {
            return cgroup + ", " + thread + " was throttled";
        }
    }

    /**
     * Creates the quota of a process.
     *
     * @param throttled of the process
     * @param near returns all of them that cover a part of an interval
     */
    public CpuQuota(List<HostEvent.Throttled> throttled, Function<Interval, List<HostEvent.Throttled>> near) {
        cgroup = throttled.isEmpty() ? "" : throttled.get(0).cgroup();
        this.near = near;
    }

    /** Returns a cgroup whose counters say that it was throttled at any time; empty if none does. */
    public String cgroup() {
        return cgroup;
    }

    /**
     * Returns the parts of a wait for a CPU in which the cgroup was throttled. The counters are read now and then: they must account for half of the
     * part at least.
     *
     * @param waited when a thread of the process was runnable without a CPU
     */
    public List<Throttling> in(Interval waited) {
        List<Throttling> parts = new ArrayList<>();
        for (HostEvent.Throttled event : near.apply(waited)) {
            event.interval()
                    .intersection(waited)
                    .filter(part -> 2 * event.throttledNs() >= part.lengthNs())
                    .ifPresent(part -> parts.add(new Throttling(part, event.cgroup())));
        }
        return parts;
    }
}
