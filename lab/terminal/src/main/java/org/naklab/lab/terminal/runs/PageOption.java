package org.naklab.lab.terminal.runs;

import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.runs.calendar.KeptPage;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options {@code --html} and {@code --keep} of a command that can write its result as a page. */
public final class PageOption {
    @Option(names = "--html", paramLabel = "FILE", description = "Also write an HTML page.")
    private @Nullable Path html;

    @Option(
            names = "--keep",
            description =
                    "Also keep the page beside the runs: the calendar of 'naklab history' and 'naklab serve' links it.")
    private boolean isKept;

    @Mixin
    private RunsOption runs;

    /** Returns whether a page is asked for. */
    public boolean isGiven() {
        return html != null || isKept;
    }

    /**
     * Checks that the page can be written when the command has found what is on it.
     *
     * @throws org.naklab.lab.core.InputException it cannot be written
     */
    public void check() {
        if (html != null) {
            OutputFile.requireWritableInNewDirectory(html);
        }
    }

    /** Returns the directory of the runs. */
    public Path runsDirectory() {
        return runs.directory();
    }

    /**
     * Writes the pages that are asked for, and the calendar that links a page which is kept.
     *
     * @param tool the name of the command
     * @param subject what the page is about, for its name in the calendar
     * @param writer writes the page to a file
     */
    public void write(Terminal terminal, String tool, String subject, Consumer<Path> writer) {
        if (html != null) {
            writer.accept(html);
        }
        if (isKept) {
            Path kept = KeptPage.create(runs.directory(), tool, subject, Instant.now());
            writer.accept(kept);
            KeptPage.linkBack(runs.directory(), kept);
            terminal.err().println("page in " + kept);
            new RunArchiver(new HistoryOptions().url(runs.directory()), terminal).writeCalendarOf(runs.directory());
        }
    }
}
