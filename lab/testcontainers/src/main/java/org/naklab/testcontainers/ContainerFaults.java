package org.naklab.testcontainers;

import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.faults.DiskLimit;
import org.testcontainers.containers.ContainerState;

/**
 * Injects faults into one running container, which needs to know nothing of them: its network namespace, its control group and its state at the
 * engine are changed from outside. Each method arms its fault and returns when it is armed; closing the fault undoes it, and so does a
 * guard process if the JVM is killed.
 *
 * <p>The command {@code docker} must be on the path and use the engine of Testcontainers. Tools run in containers of NAK Lab's image.
 */
public final class ContainerFaults {
    private final org.naklab.lab.containers.faults.ContainerFaults faults;

    private ContainerFaults(String name) {
        faults = org.naklab.lab.containers.faults.ContainerFaults.of(name);
    }

    /**
     * Checks that containers can be started and faults injected here. Call it before the first container is started: Testcontainers alone waits for
     * minutes, and prints nothing, if it can pull no images.
     *
     * @throws IllegalStateException if no engine responds, the image of the tools is missing, or Testcontainers is not ready within 30 s; the
     *     message is one line with what to do
     */
    public static void requireAvailable() {
        TestcontainersPreflight.check(Image.name());
    }

    /**
     * Returns the faults of a container.
     *
     * @param container is running, for instance any {@code GenericContainer}
     * @throws IllegalStateException if it is not running, no engine responds to {@code docker}, or the image of the tools is missing; the
     *     message is one line with what to do
     */
    public static ContainerFaults of(ContainerState container) {
        Image.refusal().ifPresent(reason -> {
            throw new IllegalStateException("no fault can be injected into a container: " + reason);
        });
        String id = container.getContainerId();
        if (id == null || !container.isRunning()) {
            throw new IllegalStateException(
                    "no fault can be injected into a container that is not running: start it first");
        }
        return new ContainerFaults(nameOf(container));
    }

    /** Returns the name by which Testcontainers and the engine list it, which a message can be found by. */
    private static String nameOf(ContainerState container) {
        return container.getContainerInfo().getName().replaceFirst("^/", "");
    }

    /** Returns the faults of its network. */
    public NetworkFaults network() {
        return new NetworkFaults(faults.network());
    }

    /** Pauses its processes. */
    public InjectedFault pause() {
        return InjectedFault.arm(() -> faults.pause());
    }

    /** Kills its processes; closing the fault does not start them again. */
    public InjectedFault kill() {
        return InjectedFault.arm(() -> faults.kill());
    }

    /**
     * Lowers its memory limit.
     *
     * @param limitBytes lower than the limit that it was created with
     */
    public InjectedFault memoryLimit(long limitBytes) {
        return InjectedFault.arm(() -> faults.memoryLimit(limitBytes));
    }

    /**
     * Limits its reads from the disk of the engine's volumes.
     *
     * @param perSecond operations per second
     */
    public InjectedFault readLimit(long perSecond) {
        return InjectedFault.arm(() -> faults.slowDisk(DiskLimit.readsPerSecond(perSecond)));
    }

    /**
     * Limits its writes to the disk of the engine's volumes.
     *
     * @param perSecond operations per second
     */
    public InjectedFault writeLimit(long perSecond) {
        return InjectedFault.arm(() -> faults.slowDisk(DiskLimit.writesPerSecond(perSecond)));
    }

    /**
     * Fills one of its volumes.
     *
     * @param path of the volume in the container
     * @param mostBytes that may be written to fill it: a volume with more than that free is refused
     */
    public InjectedFault fullDisk(String path, long mostBytes) {
        return InjectedFault.arm(() -> faults.fullDisk(path, mostBytes));
    }
}
