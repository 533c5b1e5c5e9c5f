package org.naklab.lab.containers.faults;

import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.faults.network.NetworkFaults;

/** What can go wrong in one running container. A method arms its fault, and returns when it is armed. */
public final class ContainerFaults {
    private final String container;

    private ContainerFaults(String container) {
        this.container = container;
    }

    /**
     * Of a running container.
     *
     * @param container its name or id
     */
    public static ContainerFaults of(String container) {
        return new ContainerFaults(container);
    }

    public NetworkFaults network() {
        return new NetworkFaults(container);
    }

    /** Its processes stand still, until closed. */
    public ContainerFault pause() {
        return new Pause(container);
    }

    /** Its processes are killed, for good. */
    public ContainerFault kill() {
        return new Kill(container);
    }

    /** Its reads or writes at the disk behind the engine's volumes are limited. */
    public ContainerFault slowDisk(DiskLimit limit) {
        return new SlowDisk(container, limit);
    }

    /**
     * One of its volumes is full.
     *
     * @param path of the volume in the container
     * @param mostBytes that may be written to fill it: a volume with more than that free is refused
     */
    public ContainerFault fullDisk(String path, long mostBytes) {
        return new FullDisk(container, path, mostBytes);
    }

    /**
     * It may use less memory.
     *
     * @param limitBytes lower than the limit that it has
     */
    public ContainerFault memoryLimit(long limitBytes) {
        return new MemoryLimit(container, limitBytes);
    }
}
