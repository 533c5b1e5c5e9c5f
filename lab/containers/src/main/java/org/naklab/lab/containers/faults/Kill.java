package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.HelperContainer;

/** The container's processes are killed; closing it revives nothing. */
final class Kill implements ContainerFault {
    private final String container;

    Kill(String container) {
        this.container = container;
        Docker.run("kill", "--signal", "KILL", container);
    }

    @Override
    public FaultProof proof() {
        Docker.Result state =
                Docker.attempt("inspect", "--format", "{{.State.Running}} {{.State.ExitCode}}", container);
        if (HelperContainer.isGone(state)) {
            return new FaultProof(true, container + " no longer exists", Map.of(), List.of());
        }
        String[] words = state.output().split(" ", -1);
        return words[0].equals("false")
                ? new FaultProof(
                        true,
                        container + " ended with exit code " + words[1],
                        Map.of("exitCode", Long.parseLong(words[1])),
                        List.of())
                : FaultProof.notFired(container + " is still running: " + state.lastLine());
    }

    /** Nothing: what is dead stays dead. */
    @Override
    public void close() {}
}
