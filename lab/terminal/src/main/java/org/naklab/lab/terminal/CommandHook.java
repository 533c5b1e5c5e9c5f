package org.naklab.lab.terminal;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs the user's command of {@code --exec} in a shell. */
public final class CommandHook {
    /** Opening /dev/stderr instead would truncate the file that standard error may be. */
    private static final String TO_STANDARD_ERROR = "exec 1>&2\n";

    private final String command;
    private final List<Process> running = new ArrayList<>();

    /** @param command for the shell */
    public CommandHook(String command) {
        this.command = command;
    }

    /**
     * Starts the command; its output goes to standard error.
     *
     * @param variables what is added to its environment
     * @return why it could not be started; empty if it was
     */
    public Optional<String> start(Map<String, String> variables) {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", TO_STANDARD_ERROR + command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(variables);
        try {
            running.add(builder.start());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the command of --exec was not started: " + e.getMessage());
        }
    }

    /** Returns for each command that has failed since the last call one line. */
    public List<String> takeFailures() {
        List<Process> ended =
                running.stream().filter(process -> !process.isAlive()).toList();
        running.removeAll(ended);
        return ended.stream()
                .filter(process -> process.exitValue() != 0)
                .map(process -> "the command of --exec ended with " + process.exitValue())
                .toList();
    }

    /** Waits until all commands have ended. */
    public List<String> await() throws InterruptedException {
        for (Process process : running) {
            process.waitFor();
        }
        return takeFailures();
    }
}
