package org.naklab.testcontainers;

import java.time.Duration;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Waits until the process in a container of the replica has reported that it is ready. */
final class ReadyReport extends AbstractWaitStrategy {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ReplicaContainer<?> container;

    ReadyReport(ReplicaContainer<?> container) {
        this.container = container;
        withStartupTimeout(TIMEOUT);
    }

    @Override
    protected void waitUntilReady() {
        if (!container.awaitReady(startupTimeout)) {
            throw new ContainerLaunchException(container.processName() + " did not become ready within "
                    + startupTimeout.toSeconds() + " s: " + container.getLogs());
        }
    }
}
