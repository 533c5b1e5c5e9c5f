package org.naklab.lab.cli.journal;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.journaler.derived.JournalExporter;
import org.naklab.journaler.derived.RollPolicy;
import org.naklab.lab.core.Format;
import org.naklab.lab.terminal.Terminal;
import org.naklab.subscriber.book.OrderBooks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code naklab journal export}. */
@Command(
        name = "export",
        description = "Write the top of book and the trades of a journal as CSV, or its surveillance files.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab journal export runs/latest/journal --csv /tmp/csv",
            "  naklab journal export runs/latest/journal --surveillance /tmp/surveillance",
            "",
            "Exit codes: 0 the journal is complete, or --partial; 1 it is not; 66 it cannot be read."
        })
final class JournalExportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "Journal directory.")
    private Path directory;

    @Option(names = "--csv", paramLabel = "DIR", description = "Directory for the CSV files.")
    private @Nullable Path csv;

    @Option(names = "--surveillance", paramLabel = "DIR", description = "Directory for the surveillance files.")
    private @Nullable Path surveillance;

    @Spec
    private CommandSpec spec;

    @Mixin
    private PartialJournal partial = new PartialJournal();

    JournalExportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (csv == null && surveillance == null) {
            throw new ParameterException(spec.commandLine(), "--csv or --surveillance is needed");
        }
        if (csv != null) {
            print("rows", JournalExporter.exportCsv(directory, csv, new OrderBooks()), csv);
        }
        if (surveillance != null) {
            JournalExporter.Export export =
                    JournalExporter.exportSurveillance(directory, surveillance, new OrderBooks(), RollPolicy.DEFAULT);
            print("records", export, surveillance);
        }
        return partial.exitCode(directory, terminal);
    }

    private void print(String unit, JournalExporter.Export export, Path to) {
        terminal.out()
                .println(Format.count(export.records()) + ' ' + unit + " of " + Format.count(export.events())
                        + " events in " + export.files() + " files in " + to);
    }
}
