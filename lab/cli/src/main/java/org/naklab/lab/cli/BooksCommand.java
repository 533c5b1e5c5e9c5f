package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.books.BookPrinter;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.BrokenPipeStream;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab books}: the service's books without a network. */
@Command(
        name = "books",
        description = {
            "Drive the order books from a source file and print the book after each event, or draw one.",
            "Row k is the book after event k, in the layout of a LOBSTER order book file:"
                    + " ask price, ask size, bid price, bid size, for each level. Prices are multiplied by 10,000.",
            "With an initial book, the file is assumed to contain only events within its levels, like "
                    + "LOBSTER files: orders first seen when they are executed are added if priced outside the "
                    + "known levels; levels better than a trade price are removed."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab books message.csv --initial-book orderbook.csv --draw",
            "  naklab books message.csv --initial-book orderbook.csv --levels 10",
            "  naklab books 01302020.NASDAQ_ITCH50.gz --instrument AAPL | tail -n 1"
        })
final class BooksCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "LOBSTER messages or NASDAQ ITCH 5.0, plain or gzip.")
    private Path file;

    @Option(
            names = "--initial-book",
            paramLabel = "CSV",
            description = "LOBSTER order book file; its first row, the book after event 1, initialises the book.")
    private @Nullable Path initialBook;

    @Option(
            names = "--levels",
            paramLabel = "N",
            defaultValue = "10",
            converter = Converters.Count.class,
            description = "Levels of each side to print (default: ${DEFAULT-VALUE}).")
    private int levels;

    @Option(
            names = "--instrument",
            paramLabel = "ID",
            description = "Symbol or number, if the file contains more than one instrument.")
    private @Nullable String instrument;

    @Option(names = "--draw", description = "Draw one book instead of printing rows: the last one, or that of --event.")
    private boolean isDrawn;

    @Option(
            names = "--event",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "With --draw: the book after event N, from 1.")
    private @Nullable Integer event;

    BooksCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        BookPrinter printer = new BookPrinter(file, initialBook, instrument, levels);
        if (event != null && !isDrawn) {
            throw new UsageException("--event needs --draw; without it, row N is the book after event N");
        }
        if (isDrawn) {
            BookDrawing.print(terminal, printer.after(event == null ? Long.MAX_VALUE : event));
            return ExitCode.OK;
        }
        BrokenPipeStream pipe = new BrokenPipeStream(terminal.out());
        try {
            printer.print(pipe);
        } catch (IOException e) {
            if (!pipe.isBroken()) {
                throw e;
            }
        }
        return ExitCode.OK;
    }
}
