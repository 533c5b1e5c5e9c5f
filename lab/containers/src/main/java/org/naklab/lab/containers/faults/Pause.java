package org.naklab.lab.containers.faults;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultProof;
import org.naklab.faults.description.FaultDescription;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.containers.EngineGuard;
import org.naklab.lab.containers.HelperContainer;
import org.naklab.lab.containers.TypedContainerFaultKind;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.LabException;

/** Pauses all processes of the container until it is closed. */
final class Pause implements ContainerFault {
    private final String container;
    private final Undo undo;
    private final long beganNs;
    private boolean wasPaused;
    private boolean isClosed;
    private long lastedNs;

    Pause(String container) {
        this.container = container;
        String id = HelperContainer.idOf(container);
        if (isPaused()) {
            throw new LabException(container + " is already paused: 'docker unpause' continues it");
        }
        undo = Undo.promise("unpause " + container, List.of("unpause", id));
        undo.orUndo(() -> EngineGuard.run("pause", container));
        beganNs = System.nanoTime();
        look();
    }

    /** Measures the shortest possible length of the pause: from the engine's answer to the next request. */
    private void look() {
        lastedNs = System.nanoTime() - beganNs;
        wasPaused |= isPaused();
    }

    private boolean isPaused() {
        return DockerEngine.find(container)
                .filter(found -> found.state().isPaused())
                .isPresent();
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            look();
        }
        long lastedMs = TimeUnit.NANOSECONDS.toMillis(lastedNs);
        return wasPaused
                ? new FaultProof(
                        true,
                        container + " was paused for " + lastedMs + " ms at least",
                        Map.of("pausedMs", lastedMs),
                        List.of())
                : FaultProof.notFired("the engine does not show " + container + " as paused");
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        lastedNs = System.nanoTime() - beganNs;
        undo.run();
        isClosed = true;
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<TypedContainerFaultKind.NoParameters> {
        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "container-pause",
                    ENGINE_ACCESS,
                    NoParameters.class,
                    FaultDescription.of("All processes of the container are paused")
                            .proof("the state that the engine reports, and the duration")
                            .example("container-pause:for=150ms"));
        }

        @Override
        protected ContainerFault arm(String container, NoParameters parameters) {
            return new Pause(container);
        }
    }
}
