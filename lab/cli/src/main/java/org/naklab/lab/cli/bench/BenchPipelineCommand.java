package org.naklab.lab.cli.bench;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.lab.bench.PipelineBench;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench pipeline}. */
@Command(
        name = "pipeline",
        description = {
            "Benchmark the whole market data service against its two primitives with the same"
                    + " data: plain Aeron multicast receipt, and plain Chronicle Queue append."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The three run alternately in one process, so that only their ratio matters. Aeron's"
                    + " flow control is used: the sender waits for the receiver, and nothing is lost.",
            "",
            "Examples:",
            "  naklab bench pipeline",
            "  naklab bench pipeline --events 2000000 --rounds 9 --json"
        })
final class BenchPipelineCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Converters.Events.class,
            description = "Events per round (default: ${DEFAULT-VALUE}).")
    private int events;

    BenchPipelineCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        PipelineBench.Figures figures =
                PipelineBench.run(options.seed, events, options.rounds, terminal.err()::println);
        if (options.json) {
            terminal.out().println(Json.pretty(figures));
            return ExitCode.OK;
        }
        print("plain Aeron multicast receipt", figures.aeronPerSecond());
        print("plain Chronicle append", figures.chroniclePerSecond());
        print("the whole pipeline", figures.pipelinePerSecond());
        terminal.out().printf(Locale.ROOT, "%-32s %14.2f%n", "pipeline / slower primitive", figures.ratio());
        terminal.out()
                .printf(
                        Locale.ROOT,
                        "%-32s %14.3f bytes/message on the context thread%n%-32s %14.3f bytes/message on the business thread%n",
                        "allocated",
                        figures.contextBytesPerMessage(),
                        "",
                        figures.businessBytesPerMessage());
        return ExitCode.OK;
    }

    private void print(String what, long perSecond) {
        terminal.out().printf(Locale.ROOT, "%-32s %14s events/s%n", what, Format.count(perSecond));
    }
}
