package org.naklab.lab.cli.history;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;

/** Finds the case that an argument means. */
public final class CaseArgument {
    private CaseArgument() {}

    /**
     * Returns the path of an existing directory or archive, or else the directory of a run.
     *
     * @param runs directory of all runs
     * @param argument a path, the name of a run, or a scenario for its latest run; {@code null}: the latest run of all
     * @throws InputException there is none
     */
    public static Path find(Path runs, @Nullable String argument) {
        if (argument != null && Files.exists(Path.of(argument))) {
            return Path.of(argument);
        }
        return RunArgument.find(runs, argument);
    }
}
