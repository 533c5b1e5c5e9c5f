package org.naklab.lab.watch.command;

import java.util.Collection;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.watch.WatchFindings;

/** The outcome of a watch, for scripts. */
enum WatchOutcome {
    /** Nothing stalled, nothing was lost, and all was seen. */
    QUIET(ExitCode.OK),
    /** Something stalled or was lost. */
    FOUND(ExitCode.FOUND),
    /** Nothing was found, but not all was seen, or nothing was watched. */
    UNKNOWN(ExitCode.UNKNOWN);

    private final int exitCode;

    WatchOutcome(int exitCode) {
        this.exitCode = exitCode;
    }

    static WatchOutcome of(Collection<WatchFindings> findings) {
        if (findings.stream().anyMatch(each -> !each.isEmpty())) {
            return FOUND;
        }
        return !findings.isEmpty() && findings.stream().allMatch(WatchFindings::isQuiet) ? QUIET : UNKNOWN;
    }

    int exitCode() {
        return exitCode;
    }
}
