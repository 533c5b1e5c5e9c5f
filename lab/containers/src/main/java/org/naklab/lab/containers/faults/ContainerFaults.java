package org.naklab.lab.containers.faults;

import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.faults.network.NetworkFaults;

/** Injects faults into one running container. Each method arms its fault, and returns when it is armed. */
public final class ContainerFaults {
    private final String container;

    private ContainerFaults(String container) {
        this.container = container;
    }

    /**
     * Returns the faults of a running container.
     *
     * @param container its name or id
     */
    public static ContainerFaults of(String container) {
        return new ContainerFaults(container);
    }

    public NetworkFaults network() {
        return new NetworkFaults(container);
    }

    /** Pauses the container's processes until closed. */
    public ContainerFault pause() {
        return new Pause(container);
    }

    /** Kills the container's processes for good. */
    public ContainerFault kill() {
        return new Kill(container);
    }

    /** Limits the container's reads or writes on the disk of the engine's volumes. */
    public ContainerFault slowDisk(DiskLimit limit) {
        return new SlowDisk(container, limit);
    }

    /**
     * Fills one of the container's volumes.
     *
     * @param path of the volume in the container
     * @param mostBytes that may be written to fill it: a volume with more than that free is refused
     */
    public ContainerFault fullDisk(String path, long mostBytes) {
        return new FullDisk(container, path, mostBytes);
    }

    /**
     * Lowers the container's memory limit.
     *
     * @param limitBytes lower than the limit that it has
     */
    public ContainerFault memoryLimit(long limitBytes) {
        return new MemoryLimit(container, limitBytes);
    }
}
