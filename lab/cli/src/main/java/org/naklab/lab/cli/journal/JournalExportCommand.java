package org.naklab.lab.cli.journal;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.journaler.JournalExporter;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.subscriber.book.OrderBooks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab journal export}. */
@Command(
        name = "export",
        description = "Write the top of book and the trades of a journal as CSV.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab journal export runs/latest/journal --csv /tmp/csv",
            "",
            "Exit codes: 0 the journal is complete, or --partial; 1 it is not; 2 it cannot be read."
        })
final class JournalExportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "Journal directory.")
    private Path directory;

    @Option(names = "--csv", paramLabel = "DIR", required = true, description = "Directory for the CSV files.")
    private Path csvDirectory;

    @Mixin
    private PartialJournal partial = new PartialJournal();

    JournalExportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        JournalExporter.Export export = JournalExporter.exportCsv(directory, csvDirectory, new OrderBooks());
        terminal.out()
                .println(Format.count(export.records()) + " rows of " + Format.count(export.events()) + " events in "
                        + export.files() + " files in " + csvDirectory);
        return partial.exitCode(directory, terminal);
    }
}
