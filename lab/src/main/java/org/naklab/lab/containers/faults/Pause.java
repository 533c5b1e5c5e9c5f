package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultProof;
import org.naklab.lab.LabException;
import org.naklab.lab.containers.Docker;

/** All processes of the container stand still, until it is closed. */
final class Pause implements ContainerFault {
    private final String container;
    private final long beganNs;
    private boolean wasPaused;
    private boolean isClosed;
    private long lastedNs;

    Pause(String container) {
        this.container = container;
        beganNs = System.nanoTime();
        Docker.run("pause", container);
        look();
    }

    private void look() {
        Docker.Result state = Docker.attempt("inspect", "--format", "{{.State.Paused}}", container);
        wasPaused |= state.output().equals("true");
        lastedNs = System.nanoTime() - beganNs;
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
                        container + " stood still for " + lastedMs + " ms",
                        Map.of("pausedMs", lastedMs),
                        List.of())
                : FaultProof.notFired("the engine does not show " + container + " as paused");
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        Docker.Result result = Docker.attempt("unpause", container);
        if (!result.succeeded() && !Tool.isGone(result) && !result.output().contains("not paused")) {
            throw new LabException(container + " is left paused: " + result.lastLine());
        }
        lastedNs = System.nanoTime() - beganNs;
        isClosed = true;
    }
}
