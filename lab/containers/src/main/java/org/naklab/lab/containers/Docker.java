package org.naklab.lab.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Reason;

/** Runs the command {@code docker}, and waits for its end. What is asked of the engine goes through {@link DockerEngine}. */
public final class Docker {
    /** A command that takes longer is ended. */
    public static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    /** Exit codes that this class gives, as a shell and timeout(1) do. */
    static final int NO_CLIENT = 127;

    static final int INTERRUPTED = 130;
    static final int TIMED_OUT = 124;

    private Docker() {}

    /** The result of a command; {@code output} is both of its streams. */
    public record Result(int exitCode, String output) {
        public boolean succeeded() {
            return exitCode == 0;
        }

        /** Returns why the command failed; empty if it succeeded. */
        public Optional<DockerEngine.Failure> failure() {
            return DockerEngine.failure(exitCode, output);
        }

        /** Returns whether the command failed only because what it is about does not exist or has ended. */
        public boolean isGone() {
            return failure().filter(DockerEngine.Failure.GONE::equals).isPresent();
        }

        /**
         * Returns the output.
         *
         * @param what was done, for the message
         * @throws LabException with the last line of the output, if the command failed
         */
        public String outputOrThrow(String what) {
            if (!succeeded()) {
                throw new LabException(what + ": " + lastLine());
            }
            return output;
        }

        /** Returns the last line of the output, which contains the reason of a failure. */
        public String lastLine() {
            return output.lines().reduce("no output", (first, second) -> second);
        }
    }

    /**
     * Runs a command and returns what it prints.
     *
     * @throws LabException with the command's own last line, when it fails
     */
    public static String run(String... arguments) {
        Result result = attempt(arguments);
        if (!result.succeeded()) {
            throw new LabException("docker " + String.join(" ", arguments) + ": " + result.lastLine());
        }
        return result.output();
    }

    /** Runs it whatever it comes to; a missing program is exit code 127, as a shell has it. */
    public static Result attempt(String... arguments) {
        return attempt(Path.of("/dev/null"), arguments);
    }

    /**
     * Runs it with a file as its standard input.
     *
     * @throws LabException with the command's own last line, when it fails
     */
    public static void feed(Path input, String... arguments) {
        Result result = attempt(input, arguments);
        if (!result.succeeded()) {
            throw new LabException("docker " + String.join(" ", arguments) + ": " + result.lastLine());
        }
    }

    /** Returns the command's words. */
    static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(arguments);
        return command;
    }

    private static Result attempt(Path input, String... arguments) {
        return execute(input, command(List.of(arguments)));
    }

    /** Runs any command in the same way. */
    static Result execute(Path input, List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(input.toFile()))
                    .start();
            // The end of the output is waited for, too: a client that hangs has not closed it.
            FutureTask<String> output = new FutureTask<>(
                    () -> new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            Thread reader = new Thread(output, "docker-output");
            reader.setDaemon(true);
            reader.start();
            return await(process, output);
        } catch (IOException e) {
            return new Result(NO_CLIENT, "cannot start " + command.get(0) + ": " + Reason.ofStart(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(INTERRUPTED, "interrupted");
        }
    }

    private static Result await(Process process, Future<String> output) throws InterruptedException, IOException {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        try {
            String printed = output.get(TIMEOUT_NS, TimeUnit.NANOSECONDS);
            if (process.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return new Result(process.exitValue(), printed);
            }
        } catch (ExecutionException e) {
            throw new IOException("the output of docker cannot be read: " + e.getCause(), e);
        } catch (TimeoutException e) {
            // Told below, as for a client that has closed its output and does not end.
        }
        process.destroyForcibly();
        return new Result(TIMED_OUT, "no end within " + TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s");
    }
}
