package org.naklab.lab.instruments.kernel.counters;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * Tells whether a process is frozen, by {@code freezer.state} of version 1 and {@code cgroup.events} of version 2. Both include groups
 * above.
 */
public final class CgroupFreezer {
    private final List<CgroupPaths> groups;

    CgroupFreezer(List<CgroupPaths> groups) {
        this.groups = List.copyOf(groups);
    }

    /** Opens the groups of a process. The root of a hierarchy has no freezer. */
    public static CgroupFreezer ofProcess(long pid) {
        return new CgroupFreezer(CgroupPaths.ofController(pid, CgroupPaths.FREEZER));
    }

    /**
     * Returns the group that is frozen; none if the process may run. A group that is about to freeze counts as frozen.
     *
     * @throws org.naklab.lab.core.timeline.DetectException a group is gone
     */
    public Optional<Path> frozenGroup() {
        return groups.stream()
                .filter(CgroupPaths::isFrozen)
                .map(CgroupPaths::directory)
                .findFirst();
    }
}
