package org.naklab.lab.cli.history;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.naklab.lab.core.Subdirectories;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.runs.history.AbandonedRuns;
import org.naklab.lab.scenarios.record.RunDirectory;

/** Finds runs that are over and old: finished, or their lab was killed. A directory with a name that no run has is none of them. */
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
            List<Path> over = Subdirectories.of(scenario).stream()
                    .filter(PrunableRuns::isOver)
                    .sorted(Comparator.comparing(PrunableRuns::name).reversed())
                    .toList();
            over.stream().skip(kept).forEach(old::add);
        }
        return old;
    }

    private static boolean isOver(Path run) {
        return RunDirectory.isName(name(run))
                && (Files.isRegularFile(run.resolve(RunRecord.NAME), LinkOption.NOFOLLOW_LINKS)
                        || AbandonedRuns.isAbandoned(run));
    }

    private static String name(Path directory) {
        return String.valueOf(directory.getFileName());
    }
}
