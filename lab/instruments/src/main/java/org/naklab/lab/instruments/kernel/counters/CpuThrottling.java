package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Files;
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
    private static final String FILE = "cpu.stat";

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
        for (CgroupPaths lowest : CgroupPaths.ofController(pid, "cpu")) {
            groups.addAll(upwards(lowest));
        }
        return new CpuThrottling(groups);
    }

    /** Lists a group and those above it that count throttling. */
    static List<CgroupPaths> upwards(CgroupPaths lowest) {
        List<CgroupPaths> groups = new ArrayList<>();
        for (Path directory = lowest.directory();
                directory != null && Files.isReadable(directory.resolve(FILE));
                directory = directory.getParent()) {
            if (CounterFiles.keyed(directory.resolve(FILE)).containsKey("nr_throttled")) {
                groups.add(new CgroupPaths(directory, lowest.version()));
            }
        }
        return groups;
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
        Map<String, Long> values = CounterFiles.keyed(group.file(FILE));
        long throttledNs = group.version() == 2
                ? values.getOrDefault("throttled_usec", 0L) * Units.US_NS
                : values.getOrDefault("throttled_time", 0L);
        return new Reading(group.directory(), values.getOrDefault("nr_throttled", 0L), throttledNs);
    }
}
