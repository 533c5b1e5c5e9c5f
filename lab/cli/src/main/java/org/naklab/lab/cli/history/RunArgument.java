package org.naklab.lab.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.InputException;
import org.naklab.lab.records.RunRecord;

/** Finds the run that an argument means. */
public final class RunArgument {
    private RunArgument() {}

    /**
     * A run's directory: itself, or by the name that it has among the runs, or the latest of a scenario; without an argument the
     * latest of all.
     *
     * @throws InputException there is none
     */
    static Path find(Path runs, @Nullable String argument) {
        String name = argument == null ? "latest" : argument;
        List<Path> candidates = argument == null
                ? List.of(runs.resolve(name))
                : List.of(Path.of(name), runs.resolve(name), runs.resolve(name).resolve("latest"));
        return Stream.concat(candidates.stream(), named(runs, name))
                .filter(candidate -> Files.exists(candidate.resolve(RunRecord.NAME)))
                .findFirst()
                .map(RunArgument::real)
                .orElseThrow(() -> new InputException(
                        argument == null
                                ? "no run in " + runs + " yet; 'naklab run' makes one, --runs names another place"
                                : "no run '" + argument + "': neither a run directory nor the name of a run in "
                                        + runs));
    }

    private static Stream<Path> named(Path runs, String name) {
        if (!Files.isDirectory(runs)) {
            return Stream.empty();
        }
        try (Stream<Path> scenarios = Files.list(runs)) {
            return scenarios.map(scenario -> scenario.resolve(name)).toList().stream();
        } catch (IOException e) {
            throw new InputException("cannot list " + runs + ": " + e.getMessage(), e);
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new InputException("cannot read " + directory + ": " + e.getMessage(), e);
        }
    }
}
