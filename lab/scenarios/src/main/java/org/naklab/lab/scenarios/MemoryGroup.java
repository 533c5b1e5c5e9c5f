package org.naklab.lab.scenarios;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.containers.pace.ControlGroup;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * A memory control group of the lab's own, version 1 or 2, that one process joins when it starts. It has no limit until the processes have
 * settled: then the page cache of the group gets a certain room, whatever else is in the group. The guard removes the group if the lab is killed.
 */
public final class MemoryGroup implements DeploymentEnvironment {
    private static final String NO_CONTROLLER =
            "no memory controller of control groups is visible: mount one of version 1 or 2";

    private final ControlGroup group;
    private final long roomBytes;

    /**
     * Describes a group that does not exist yet.
     *
     * @param name of the group, unique on the machine
     * @param roomBytes what is left for the page cache of its processes
     * @throws LabException if no memory controller is visible
     */
    public MemoryGroup(String name, long roomBytes) {
        group = new ControlGroup(
                parent().orElseThrow(() -> new LabException(NO_CONTROLLER)), List.of(CgroupPaths.MEMORY), name);
        this.roomBytes = roomBytes;
    }

    /** Returns why no group can be created here; empty if one can. */
    public static Optional<String> obstacle() {
        Optional<CgroupPaths> parent = parent();
        if (parent.isEmpty()) {
            return Optional.of(NO_CONTROLLER);
        }
        return Files.isWritable(parent.get().directory())
                ? Optional.empty()
                : Optional.of("only root can create a control group: sudo");
    }

    private static Optional<CgroupPaths> parent() {
        return ControlGroup.parent(CgroupPaths.MEMORY).filter(CgroupPaths::canLimitMemory);
    }

    /** Returns the directory of the group. */
    public Path directory() {
        return group.directory();
    }

    @Override
    public void prepare() {
        group.create();
    }

    /** Limits the group to what its processes use now without page cache, and the room. */
    @Override
    public void onSettled() {
        CgroupPaths used = group.group();
        group.write(
                CgroupPaths.Entry.MEMORY_LIMIT,
                String.valueOf(used.memoryUsedBytes() - used.pageCacheBytes() + roomBytes));
    }

    @Override
    public void close() {
        group.close();
    }
}
