package org.naklab.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM with this test's class path. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Returns a child that is not started yet, and that does not ignore SIGINT as the background jobs of a shell do. */
    public static ProcessBuilder builder(Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + Path.of(System.getProperty("naklab.root"), "lab/src/main/dist/jvm.options"));
        command.add("-Xmx128m");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }

    /** Runs to the end. */
    public static Outcome run(Path directory, Class<?> main, Map<String, String> environment, String... arguments) {
        try {
            Path output = Files.createTempFile(directory, "child", ".out");
            Path errors = Files.createTempFile(directory, "child", ".err");
            Process process = builder(main, environment, arguments)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    throw new AssertionError(main + " did not end: " + read(errors));
                }
            } finally {
                process.destroyForcibly();
            }
            return new Outcome(process.exitValue(), read(output), read(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path path) throws IOException {
        return Files.readString(path, StandardCharsets.UTF_8);
    }

    /** How it ended and what it said. */
    public record Outcome(int exitCode, String output, String errors) {}
}
