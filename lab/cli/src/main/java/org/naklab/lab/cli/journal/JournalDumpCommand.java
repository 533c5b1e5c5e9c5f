package org.naklab.lab.cli.journal;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.naklab.journaler.JournalDumper;
import org.naklab.lab.terminal.BrokenPipeStream;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab journal dump}. */
@Command(
        name = "dump",
        description = "Print the records of a journal, one per line.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab journal dump runs/latest/journal | head",
            "  naklab journal dump --from 100 --to 120 runs/latest/journal",
            "",
            "Exit codes: 0 the journal is complete, or --partial; 1 it is not; 66 it cannot be read."
        })
final class JournalDumpCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "Journal directory.")
    private Path directory;

    @Option(
            names = "--from",
            paramLabel = "SEQ",
            defaultValue = "1",
            converter = Converters.Positive.class,
            description = "First feed sequence (default: ${DEFAULT-VALUE}).")
    private long fromSequence;

    @Option(
            names = "--to",
            paramLabel = "SEQ",
            defaultValue = "9223372036854775807",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            converter = Converters.Positive.class,
            description = "Last feed sequence (default: the last).")
    private long toSequence;

    @Mixin
    private PartialJournal partial = new PartialJournal();

    JournalDumpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        BrokenPipeStream pipe = new BrokenPipeStream(terminal.out());
        try (Writer writer = new BufferedWriter(new OutputStreamWriter(pipe, StandardCharsets.UTF_8), 1 << 16)) {
            JournalDumper.dump(directory, fromSequence, toSequence, writer);
        } catch (RuntimeException | IOException e) {
            if (!pipe.isBroken()) {
                throw e;
            }
        }
        return partial.exitCode(directory, terminal);
    }
}
