package org.naklab.lab.cli.ci;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.OutputFile;
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
    private boolean isAnnotated;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print one line for each run, and nothing while it goes on.")
    private boolean isQuiet;

    /** Reads what the environment of this process says. */
    public CiOptions() {
        this(System.getenv());
    }

    CiOptions(Map<String, String> environment) {
        isAnnotated = "true".equals(environment.get("GITHUB_ACTIONS"));
    }

    /**
     * Checks that what was asked for can be written when the runs have ended.
     *
     * @throws org.naklab.lab.core.InputException the file of {@code --junit} cannot be written
     */
    public void check() {
        if (junit != null) {
            OutputFile.requireWritable(junit);
        }
    }

    /** Returns the option that a hunt, which has no verdict to write, does not take. */
    public Optional<String> besidesHunt() {
        return junit != null ? Optional.of("--junit") : isQuiet ? Optional.of("--quiet") : Optional.empty();
    }

    boolean isAnnotated() {
        return isAnnotated;
    }

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
