package org.naklab.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small tools of the system. */
public final class Commands {
    /** The time in which a killed process must have ended, s. It ends when it gets a CPU, and others may have them all. */
    public static final long KILLED_TIMEOUT_S = 60;

    private static final long TIMEOUT_S = 10;

    private Commands() {}

    /**
     * Runs a command to its end.
     *
     * @return what it printed
     * @throws FaultException if it is not there, fails or does not end: says what it printed
     */
    public static String run(String... command) {
        return run(List.of(command));
    }

    /** Does the same. */
    public static String run(List<String> words) {
        try {
            Process process = start(words, ProcessBuilder.Redirect.PIPE);
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new FaultException(words + " did not end");
            }
            if (process.exitValue() != 0) {
                throw new FaultException(words + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new FaultException("cannot run " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FaultException("interrupted while waiting for " + words, e);
        }
    }

    /** Starts a command and leaves it running. A tool needs no audit library, and must not count as audited. */
    public static Process start(List<String> command, ProcessBuilder.Redirect output) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("LD_AUDIT");
        builder.redirectErrorStream(true).redirectOutput(output);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new FaultException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Checks that a tool is on the path.
     *
     * @throws FaultException naming the package to install
     */
    public static void require(String tool, String install) {
        String path = System.getenv("PATH");
        for (String directory : (path == null ? "" : path).split(":", -1)) {
            if (Files.isExecutable(Path.of(directory.isEmpty() ? "." : directory, tool))) {
                return;
            }
        }
        throw new FaultException(tool + " is not on the path; install " + install);
    }
}
