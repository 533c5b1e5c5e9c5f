package org.naklab.lab.containers.faults;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.description.FaultDescription;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.containers.TypedContainerFaultKind;

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

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<TypedContainerFaultKind.NoParameters> {
        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "container-kill",
                    ENGINE_ACCESS,
                    NoParameters.class,
                    FaultDescription.of("All processes of the container are killed; nothing undoes it")
                            .proof("the state that the engine reports, and the exit code")
                            .example("container-kill"));
        }

        @Override
        protected ContainerFault arm(String container, NoParameters parameters) {
            return new Kill(container);
        }
    }
}
