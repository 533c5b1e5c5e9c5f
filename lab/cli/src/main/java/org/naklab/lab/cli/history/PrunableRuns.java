package org.naklab.lab.cli.history;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.naklab.lab.core.Subdirectories;
import org.naklab.lab.runs.record.RunRecord;
import org.naklab.lab.scenarios.record.RunDirectory;

/** Finds finished runs that are old. A directory without {@code run.json}, or with a name that no run has, is none of them. */
final class PrunableRuns {
    private PrunableRuns() {}

    /**
     * Returns the runs of each scenario but for the latest.
     *
     * @param runs the directory of all runs
     * @param kept how many of each scenario remain
     */
    static List<Path> below(Path runs, int kept) {
        List<Path> old = new ArrayList<>();
        for (Path scenario : Subdirectories.of(runs)) {
            List<Path> finished = Subdirectories.of(scenario).stream()
                    .filter(PrunableRuns::isFinished)
                    .sorted(Comparator.comparing(PrunableRuns::name).reversed())
                    .toList();
            finished.stream().skip(kept).forEach(old::add);
        }
        return old;
    }

    private static boolean isFinished(Path run) {
        return RunDirectory.isName(name(run))
                && Files.isRegularFile(run.resolve(RunRecord.NAME), LinkOption.NOFOLLOW_LINKS);
    }

    private static String name(Path directory) {
        return String.valueOf(directory.getFileName());
    }
}
