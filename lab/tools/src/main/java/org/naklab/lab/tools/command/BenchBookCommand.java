package org.naklab.lab.tools.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.lab.core.Format;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.pipeline.BookBench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench book}. */
@Command(
        name = "book",
        description = "Benchmark the order books against Parity's parity-book with the same synthetic flow.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  naklab bench book", "  naklab bench book --instruments 500 --resting 1000 --json"
        })
final class BenchBookCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "2000000",
            converter = Converters.Events.class,
            description = "Events per round (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(
            names = "--instruments",
            paramLabel = "N",
            defaultValue = "8",
            converter = Converters.Count.class,
            description = "Instruments in the flow (default: ${DEFAULT-VALUE}).")
    private int instruments;

    @Option(
            names = "--resting",
            paramLabel = "N",
            defaultValue = "200",
            converter = Converters.Count.class,
            description = "Resting orders per instrument, steady state (default: ${DEFAULT-VALUE}).")
    private int restingOrders;

    BenchBookCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        BookBench.Figures figures;
        try (StepProgress progress =
                StepProgress.untilInterrupted(terminal, BookBench.steps(options.rounds()), () -> {})) {
            figures = BookBench.run(options.seed(), events, instruments, restingOrders, options.rounds(), progress);
        }
        if (options.json().isGiven()) {
            options.json().print(terminal, figures);
        } else {
            Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.LEFT).indent(0);
            table.row("parity-book", Format.count(figures.parityPerSecond()), "events/s");
            table.row("order books", Format.count(figures.bookPerSecond()), "events/s");
            table.row("ratio", String.format(Locale.ROOT, "%.2f", figures.ratio()), "");
            table.print();
        }
        return ExitCode.OK;
    }
}
