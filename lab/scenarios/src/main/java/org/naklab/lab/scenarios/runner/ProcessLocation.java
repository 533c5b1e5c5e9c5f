package org.naklab.lab.scenarios.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ContainerSpec;

/**
 * The location of a process for the lab's instruments: on this machine, or through the root of its container on this machine's kernel.
 *
 * @param pid as this machine numbers it
 * @param aeronDirectory as this machine reaches it
 * @param isContained whether it has namespaces and a control group of its own
 */
record ProcessLocation(long pid, Path aeronDirectory, boolean isContained) {
    /**
     * Locates a process that is up.
     *
     * @param aeronDirectory of a process that is in no container
     * @throws DetectException when its container runs on another kernel, such as in Docker Desktop's virtual machine
     */
    static ProcessLocation of(ChildProcess child, String aeronDirectory) {
        ContainerSpec container = child.container();
        return container == null
                ? new ProcessLocation(child.pid(), Path.of(aeronDirectory), false)
                : ofContainer(container);
    }

    private static ProcessLocation ofContainer(ContainerSpec container) {
        DockerEngine.Container found = DockerEngine.find(container.name())
                .orElseThrow(() -> new DetectException("cannot find the process of container " + container.name()));
        long pid = found.state().pid();
        if (!isOnThisKernel(pid, found.id())) {
            throw new DetectException("container " + container.name()
                    + " runs on another kernel than the lab, so the instruments cannot observe it: run the lab on "
                    + "the engine's host or in a container (docs/how-to/docker.md)");
        }
        long own = container.standsBy() ? executed(container) : innermost(pid);
        return new ProcessLocation(own, ProcPaths.of(pid, "root" + container.aeronDirectory()), true);
    }

    /** The one JVM in a container that stands by: not below the container's first process, but beside it. */
    private static long executed(ContainerSpec container) {
        return DockerEngine.processes(container.name(), "java").stream()
                .findFirst()
                .orElseThrow(() -> new DetectException("no process of the run is in container " + container.name()));
    }

    /** Past the container's first process, which only passes signals on and reaps. */
    private static long innermost(long pid) {
        try {
            String children = Files.readString(ProcPaths.of(pid, "task", String.valueOf(pid), "children"))
                    .strip();
            return children.isEmpty() ? pid : innermost(Long.parseLong(children.split(" ", -1)[0]));
        } catch (IOException e) {
            throw new DetectException("process " + pid + " of a container no longer exists");
        }
    }

    private static boolean isOnThisKernel(long pid, @Nullable String id) {
        Path groups = ProcPaths.of(pid, "cgroup");
        try {
            return id != null
                    && Files.isReadable(groups)
                    && Files.readString(groups).contains(id);
        } catch (IOException e) {
            return false;
        }
    }
}
