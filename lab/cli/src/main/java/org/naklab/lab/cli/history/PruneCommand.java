package org.naklab.lab.cli.history;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.InputException;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunArchiver;
import org.naklab.lab.terminal.runs.RunDisk;
import org.naklab.lab.terminal.runs.RunsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab prune}. */
@Command(
        name = "prune",
        description = "Delete old runs, or only their journals, which take most of the space.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The history keeps the figures of deleted runs. A run that goes on is not touched; one whose lab was killed counts as a run.",
            "",
            "Examples:",
            "  naklab prune --dry-run                 # prints what would be deleted",
            "  naklab prune --keep 5",
            "  naklab prune --journals --keep 1",
            "",
            "Exit codes: 0 deleted, 2 something could not be deleted, 64 wrong usage, 66 no such directory."
        })
public final class PruneCommand implements Callable<Integer> {
    private static final String JOURNAL = "journal";

    private final Terminal terminal;

    @Option(
            names = "--keep",
            paramLabel = "N",
            defaultValue = "20",
            converter = Converters.Count.class,
            description = "Keep the latest N runs of each scenario (default: ${DEFAULT-VALUE}).")
    private int kept;

    @Option(names = "--journals", description = "Delete only the journals; records and reports remain.")
    private boolean journalsOnly;

    @Option(names = "--dry-run", description = "Print what would be deleted, and delete nothing.")
    private boolean isDryRun;

    @Mixin
    private RunsOption runs;

    @Mixin
    private HistoryOptions history;

    PruneCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Path directory = runs.directory();
        if (!Files.isDirectory(directory)) {
            throw new InputException("no runs in " + directory + ": there is no such directory");
        }
        List<Path> deleted = PrunableRuns.below(directory, kept).stream()
                .map(run -> journalsOnly ? run.resolve(JOURNAL) : run)
                .filter(Files::exists)
                .toList();
        RunArchiver archiver = new RunArchiver(history.url(directory), terminal);
        if (!isDryRun && !deleted.isEmpty()) {
            archiver.keepAbandoned(directory);
        }
        long bytes = 0;
        for (Path each : deleted) {
            long its = RunDisk.allocatedBytes(each);
            terminal.out().println((isDryRun ? "would delete " : "deleting ") + each + " (" + Format.bytes(its) + ")");
            bytes += its;
            if (!isDryRun) {
                RunDisk.delete(each);
            }
        }
        if (!isDryRun && !deleted.isEmpty()) {
            archiver.writeCalendarOf(directory);
        }
        terminal.out()
                .println(Format.counted(deleted.size(), journalsOnly ? "journal" : "run") + ", " + Format.bytes(bytes)
                        + (isDryRun ? " would be deleted" : " deleted"));
        return ExitCode.OK;
    }
}
