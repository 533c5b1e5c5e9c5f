package org.naklab.testcontainers;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.containers.Image;
import org.testcontainers.DockerClientFactory;

/** Has Testcontainers connect to the engine in bounded time: without a registry it would wait minutes for images of its own, and print nothing. */
final class TestcontainersPreflight {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A connection that takes longer is probably a pull. */
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private static final String REMEDY = " If no registry is reachable, set TESTCONTAINERS_RYUK_DISABLED=true and"
            + " TESTCONTAINERS_CHECKS_DISABLE=true; see docs/how-to/testcontainers.md";

    private TestcontainersPreflight() {}

    /**
     * Checks that containers of an image can be started here.
     *
     * @throws IllegalStateException if they cannot; the message is one line with what to do
     */
    static void check(String image) {
        Image.refusal(image).ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        check(() -> DockerClientFactory.instance().client(), SILENCE, LIMIT);
    }

    static void check(Runnable connect, Duration silence, Duration limit) {
        FutureTask<Boolean> connection = new FutureTask<>(connect, true);
        Thread thread = new Thread(connection, "testcontainers-preflight");
        thread.setDaemon(true);
        thread.start();
        if (!await(connection, silence)) {
            System.err.println("NAK Lab: Testcontainers has been connecting for " + silence.toSeconds()
                    + " s: it may be pulling images of its own, for which it has until " + limit.toSeconds() + " s."
                    + REMEDY);
            if (!await(connection, limit.minus(silence))) {
                throw new IllegalStateException("Testcontainers was not ready within " + limit.toSeconds()
                        + " s: it pulls images of its own." + REMEDY);
            }
        }
    }

    /** Returns whether it ended in time. */
    private static boolean await(FutureTask<Boolean> connection, Duration limit) {
        try {
            return connection.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String reason =
                    String.valueOf(cause.getMessage()).lines().findFirst().orElse("no reason");
            throw new IllegalStateException("Testcontainers cannot use the engine: " + reason, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Testcontainers was connecting to the engine", e);
        }
    }
}
