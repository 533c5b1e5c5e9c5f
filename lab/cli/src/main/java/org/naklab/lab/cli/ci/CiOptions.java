package org.naklab.lab.cli.ci;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Option;

/** The options {@code --junit}, {@code --annotations} and {@code --quiet}: runs in continuous integration. */
public final class CiOptions {
    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Write the verdicts as JUnit XML: a test suite for each run, a test case for each condition.")
    private @Nullable Path junit;

    @Option(
            names = "--annotations",
            description = "Print annotations of GitHub Actions on standard error (default there).")
    private boolean isAnnotated = "true".equals(System.getenv("GITHUB_ACTIONS"));

    @Option(
            names = {"-q", "--quiet"},
            description = "Print one line for each run, and nothing while it goes on.")
    private boolean isQuiet;

    /** Returns whether one line for each run is enough. */
    public boolean isQuiet() {
        return isQuiet;
    }

    /**
     * Writes what was asked for about runs that have ended.
     *
     * @throws org.naklab.lab.core.LabException the file cannot be written
     */
    public void write(List<RunResult> results, Terminal terminal) {
        List<RunVerdict> runs = results.stream().map(RunVerdict::of).toList();
        if (isAnnotated) {
            runs.forEach(run -> Annotations.print(terminal.err(), run));
        }
        if (junit != null) {
            JunitXml.write(junit, runs);
        }
    }
}
