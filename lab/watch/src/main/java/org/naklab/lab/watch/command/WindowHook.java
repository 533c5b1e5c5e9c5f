package org.naklab.lab.watch.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.naklab.lab.instruments.watch.IncidentRecorder;
import org.naklab.lab.terminal.CommandHook;
import org.naklab.lab.watch.WatchFindings;

/** Runs a command of the user each time a window was written. */
final class WindowHook {
    private final CommandHook hook;

    /** @param command for the shell */
    WindowHook(String command) {
        hook = new CommandHook(command);
    }

    /**
     * Starts the command; its output goes to standard error.
     *
     * @return why it could not be started; empty if it was
     */
    Optional<String> start(long pid, IncidentRecorder.Window window, WatchFindings findings) {
        return hook.start(Map.of(
                "NAKLAB_WINDOW", window.directory().toAbsolutePath().toString(),
                "NAKLAB_PID", String.valueOf(pid),
                "NAKLAB_CAUSE", findings.diagnosis().cause().label(),
                "NAKLAB_CONFIDENCE", findings.diagnosis().confidence().label()));
    }

    /** Returns for each command that has failed since the last call one line. */
    List<String> takeFailures() {
        return hook.takeFailures();
    }

    /** Waits until all commands have ended. */
    List<String> await() throws InterruptedException {
        return hook.await();
    }
}
