package org.naklab.lab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.books.BookPrinter;
import org.naklab.lab.cli.terminal.BrokenPipeStream;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code naklab books}: the service's books without a network. */
@Command(
        name = "books",
        description = {
            "Drive the order books from a source file and print the book after each event.",
            "Row k is the book after event k, in the layout of a LOBSTER order book file:"
                    + " ask price, ask size, bid price, bid size, for each level. Prices are times 10,000.",
            "With an initial book the file is taken to tell only of what happened within its levels, as LOBSTER's do:"
                    + " what it takes from but never added is let in as soon as its price lies outside them,"
                    + " and what stands at a better price than a trade is gone."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  naklab books message.csv --initial-book orderbook.csv --levels 10",
            "  naklab books 01302020.NASDAQ_ITCH50.gz --instrument AAPL --levels 5 | tail -n 1"
        })
final class BooksCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "LOBSTER messages or NASDAQ ITCH 5.0, plain or gzip.")
    private Path file;

    @Option(
            names = "--initial-book",
            paramLabel = "CSV",
            description = "LOBSTER order book; its first row, the book after event 1, seeds the book.")
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
            description = "Symbol or number, when the file holds more than one.")
    private @Nullable String instrument;

    BooksCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        BrokenPipeStream pipe = new BrokenPipeStream(terminal.out());
        try {
            new BookPrinter(file, initialBook, instrument, levels).print(pipe);
        } catch (IOException e) {
            if (!pipe.isBroken()) {
                throw e;
            }
        }
        return ExitCode.OK;
    }
}
