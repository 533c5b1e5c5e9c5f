package org.naklab.lab.containers.faults;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.process.DeploymentEnvironment;

/**
 * Leaves the page cache of a running container a certain room, as soon as the processes have settled: lowers the container's memory limit to what
 * it uses then without page cache, and the room. The limit that it had comes back at the end, also if the lab is killed.
 */
public final class PageCacheRoom implements DeploymentEnvironment {
    private final String container;
    private final long roomBytes;
    private @Nullable ContainerFault limit;

    /**
     * Describes a room that is not there yet.
     *
     * @param container its name or id
     * @param roomBytes what is left for the page cache
     */
    public PageCacheRoom(String container, long roomBytes) {
        this.container = container;
        this.roomBytes = roomBytes;
    }

    @Override
    public void onSettled() {
        String used = new ContainerCgroup(container, CgroupPaths.MEMORY)
                .run(ContainerCgroup.MEMORY_WITHOUT_PAGE_CACHE)
                .strip();
        try {
            limit = ContainerFaults.of(container).memoryLimit(Long.parseLong(used) + roomBytes);
        } catch (NumberFormatException e) {
            throw new LabException("the control group of " + container + " does not tell its memory: " + used, e);
        }
    }

    @Override
    public void close() {
        if (limit != null) {
            limit.close();
            limit = null;
        }
    }
}
