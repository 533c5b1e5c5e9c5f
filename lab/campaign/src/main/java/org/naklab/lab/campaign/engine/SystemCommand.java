package org.naklab.lab.campaign.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;

/** Runs a program of the system to its end. */
final class SystemCommand {
    private SystemCommand() {}

    /**
     * Runs a program and returns what it printed.
     *
     * @param input for its standard input
     * @throws UnavailableException it is not here, or it failed
     */
    static String run(List<String> command, String input) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new UnavailableException(command.get(0) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UnavailableException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted", e);
        }
    }
}
