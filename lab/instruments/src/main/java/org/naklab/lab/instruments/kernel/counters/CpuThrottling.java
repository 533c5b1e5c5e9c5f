package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * Reads how long CPU quotas kept a process from running, from {@code cpu.stat} of its cgroup and of all groups above, each of which may
 * have a quota.
 *
 * <pre>
 * version 1   nr_throttled N   throttled_time NS
 * version 2   nr_throttled N   throttled_usec US
 * </pre>
 */
public final class CpuThrottling {
    private final List<CgroupPaths> groups;

    /**
     * Is one group's counters.
     *
     * @param group directory of the group
     * @param timesThrottled periods in which the quota was used up
     * @param throttledNs sum over all processors of the time in which threads of the group were kept from running, ns
     */
    public record Reading(Path group, long timesThrottled, long throttledNs) {}

    private CpuThrottling(List<CgroupPaths> groups) {
        this.groups = List.copyOf(groups);
    }

    /** Opens the groups of a process; none where there is no such controller. */
    public static CpuThrottling ofProcess(long pid) {
        List<CgroupPaths> groups = new ArrayList<>();
        for (CgroupPaths lowest : CgroupPaths.ofController(pid, CgroupPaths.CPU)) {
            groups.addAll(upwards(lowest));
        }
        return new CpuThrottling(groups);
    }

    /** Lists a group and those above it that count throttling. */
    static List<CgroupPaths> upwards(CgroupPaths lowest) {
        return lowest.withThoseAbove(CgroupPaths.Entry.CPU_STATISTICS).stream()
                .filter(group -> counters(group).containsKey("nr_throttled"))
                .toList();
    }

    /**
     * Reads the counters of all groups, the process's own first.
     *
     * @throws org.naklab.lab.core.timeline.DetectException a group is gone
     */
    public List<Reading> read() {
        return groups.stream().map(CpuThrottling::read).toList();
    }

    static Reading read(CgroupPaths group) {
        Map<String, Long> values = counters(group);
        long throttledNs =
                values.getOrDefault("throttled_time", values.getOrDefault("throttled_usec", 0L) * Units.US_NS);
        return new Reading(group.directory(), values.getOrDefault("nr_throttled", 0L), throttledNs);
    }

    private static Map<String, Long> counters(CgroupPaths group) {
        return CounterFiles.keyed(group.file(CgroupPaths.Entry.CPU_STATISTICS));
    }
}
