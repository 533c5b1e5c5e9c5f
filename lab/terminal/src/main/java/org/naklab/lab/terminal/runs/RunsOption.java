package org.naklab.lab.terminal.runs;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.Installation;
import picocli.CommandLine.Option;

/** The option {@code --runs}: where the run directories are. */
public final class RunsOption {
    @Option(
            names = "--runs",
            paramLabel = "DIR",
            description = "Directory of the runs (default: runs in the project; of an installed lab, naklab/runs in"
                    + " XDG_DATA_HOME or in ~/.local/share).")
    private @Nullable Path runs;

    /** Returns the directory that contains the run directories. */
    public Path directory() {
        return runs == null ? Installation.current().runs() : runs;
    }
}
