package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.DockerEngine;

/** The container's processes are killed; closing it revives nothing. */
final class Kill implements ContainerFault {
    private final String container;

    Kill(String container) {
        this.container = container;
        DockerEngine.kill(container);
    }

    @Override
    public FaultProof proof() {
        return DockerEngine.find(container)
                .map(DockerEngine.Container::state)
                .map(this::proof)
                .orElseGet(() -> new FaultProof(true, container + " no longer exists", Map.of(), List.of()));
    }

    private FaultProof proof(DockerEngine.State state) {
        return state.isRunning()
                ? FaultProof.notFired(container + " is still running")
                : new FaultProof(
                        true,
                        container + " ended with exit code " + state.exitCode(),
                        Map.of("exitCode", (long) state.exitCode()),
                        List.of());
    }

    /** Does nothing: a killed container stays dead. */
    @Override
    public void close() {}
}
