package org.naklab.testing.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Tells what a command of the machine printed, and how it ended.
 *
 * @param exitCode 127 if the command could not be started
 * @param output of standard output and standard error together
 */
record ToolOutput(int exitCode, String output) {
    private static final int NOT_STARTED = 127;

    /** Runs the command to its end. */
    static ToolOutput of(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ToolOutput(process.waitFor(), output);
        } catch (IOException e) {
            return new ToolOutput(NOT_STARTED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static ToolOutput of(String... command) {
        return of(List.of(command), Map.of());
    }

    boolean succeeded() {
        return exitCode == 0;
    }
}
