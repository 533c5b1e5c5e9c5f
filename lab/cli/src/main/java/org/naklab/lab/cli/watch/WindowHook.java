package org.naklab.lab.cli.watch;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.watch.WatchFindings;

/** Runs a command of the user each time a window was written. */
final class WindowHook {
    private final String command;
    private final List<Process> running = new ArrayList<>();

    /** @param command for the shell */
    WindowHook(String command) {
        this.command = command;
    }

    /**
     * Starts the command; its output goes to standard error.
     *
     * @return why it could not be started; empty if it was
     */
    Optional<String> start(long pid, IncidentRecorder.Window window, WatchFindings findings) {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/stderr")));
        Map<String, String> environment = builder.environment();
        environment.put("NAKLAB_WINDOW", window.directory().toAbsolutePath().toString());
        environment.put("NAKLAB_PID", String.valueOf(pid));
        environment.put("NAKLAB_CAUSE", findings.diagnosis().cause().label());
        environment.put("NAKLAB_CONFIDENCE", findings.diagnosis().confidence().label());
        try {
            running.add(builder.start());
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("the command of --exec was not started: " + e.getMessage());
        }
    }

    /** Returns for each command that has failed since the last call one line. */
    List<String> takeFailures() {
        List<Process> ended =
                running.stream().filter(process -> !process.isAlive()).toList();
        running.removeAll(ended);
        return ended.stream()
                .filter(process -> process.exitValue() != 0)
                .map(process -> "the command of --exec ended with " + process.exitValue())
                .toList();
    }

    /** Waits until all commands have ended. */
    List<String> await() throws InterruptedException {
        for (Process process : running) {
            process.waitFor();
        }
        return takeFailures();
    }
}
