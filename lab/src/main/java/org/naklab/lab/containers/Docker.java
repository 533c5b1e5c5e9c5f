package org.naklab.lab.containers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.LabException;

/** Runs the command {@code docker}, and waits for its end. */
public final class Docker {
    private static final long TIMEOUT_S = 120;

    private Docker() {}

    /** What a command came to; {@code output} is both of its streams. */
    public record Result(int exitCode, String output) {
        public boolean succeeded() {
            return exitCode == 0;
        }

        /** The last line says what went wrong. */
        public String lastLine() {
            return output.lines().reduce("no output", (first, second) -> second);
        }
    }

    /**
     * What the command prints.
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

    private static Result attempt(Path input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(input.toFile()))
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(124, "no end within " + TIMEOUT_S + " s");
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            return new Result(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(130, "interrupted");
        }
    }
}
