package org.naklab.testcontainers;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.core.LabException;
import org.testcontainers.DockerClientFactory;

/** Has Testcontainers connect to the engine in bounded time: without a registry it would wait minutes for images of its own, and print nothing. */
final class TestcontainersPreflight {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private TestcontainersPreflight() {}

    /** @throws LabException if it has not connected; the message is one line with what to do */
    static void check() {
        check(() -> DockerClientFactory.instance().client(), LIMIT);
    }

    static void check(Runnable connect, Duration limit) {
        FutureTask<Boolean> connection = new FutureTask<>(connect, true);
        Thread thread = new Thread(connection, "testcontainers-preflight");
        thread.setDaemon(true);
        thread.start();
        try {
            Boolean unused = connection.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new LabException(
                    "Testcontainers was not ready within " + limit.toSeconds() + " s: it pulls images of its own."
                            + " If no registry is reachable, set TESTCONTAINERS_RYUK_DISABLED=true and"
                            + " TESTCONTAINERS_CHECKS_DISABLE=true; see docs/how-to/testcontainers.md",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String reason =
                    String.valueOf(cause.getMessage()).lines().findFirst().orElse("no reason");
            throw new LabException("Testcontainers cannot use the engine: " + reason, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while Testcontainers was connecting to the engine", e);
        }
    }
}
