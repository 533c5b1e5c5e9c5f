package org.naklab.lab.cli.history;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The parameter {@code RUN}, and {@code --runs}. */
final class RunSelection {
    @Parameters(
            arity = "0..1",
            paramLabel = "RUN",
            description = "Run directory, name of a run, or a scenario for its latest run (default: the latest run).")
    private @Nullable String run;

    @Mixin
    private RunsOption runs;

    /**
     * Returns the directory of the run.
     *
     * @throws InputException if there is none
     */
    Path run() {
        return RunArgument.find(runs.directory(), run);
    }

    /** Returns the directory of all runs. */
    Path runs() {
        return runs.directory();
    }
}
