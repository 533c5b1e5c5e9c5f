package org.naklab.lab.studies.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.lab.core.Format;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.command.BenchOptions;
import org.naklab.lab.tools.pipeline.PipelineBench;
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
            "The bound follows from the CPU time of the stages: no stage is faster than its own"
                    + " thread, and all together are not faster than the cores of this machine. The"
                    + " source is one of them here.",
            "",
            "Examples:",
            "  naklab bench pipeline",
            "  naklab bench pipeline --events 2000000 --rounds 9 --json"
        })
public final class BenchPipelineCommand implements Callable<Integer> {
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
        PipelineBench.Figures figures;
        try (StepProgress progress =
                StepProgress.untilInterrupted(terminal, PipelineBench.steps(options.rounds()), () -> {})) {
            figures = PipelineBench.run(options.seed(), events, options.rounds(), progress);
        }
        if (options.json().isGiven()) {
            options.json().print(terminal, figures);
            return ExitCode.OK;
        }
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.LEFT).indent(0);
        table.row("plain Aeron multicast receipt", Format.count(figures.rates().aeronPerSecond()), "events/s");
        table.row("plain Chronicle append", Format.count(figures.rates().chroniclePerSecond()), "events/s");
        table.row("the whole pipeline", Format.count(figures.rates().pipelinePerSecond()), "events/s");
        table.row("pipeline / slower primitive", decimal("%.2f", figures.rates().ratio()), "");
        figures.stages()
                .forEach(stage -> table.row(
                        "CPU time of " + stage.thread(),
                        decimal("%,.0f", stage.nsPerEvent()),
                        stage.isOfService() ? "ns/event" : "ns/event, the sender's side"));
        table.row(
                "bound by CPU time on " + Format.counted(figures.bound().cores(), "core"),
                Format.count(figures.bound().boundPerSecond()),
                "events/s");
        table.row("pipeline / bound", decimal("%.2f", figures.bound().shareOfBound()), "");
        table.row(
                "allocated",
                decimal("%.3f", figures.allocation().contextBytesPerMessage()),
                "bytes/message on the context thread");
        table.row(
                "",
                decimal("%.3f", figures.allocation().businessBytesPerMessage()),
                "bytes/message on the business thread");
        table.print();
        return ExitCode.OK;
    }

    private static String decimal(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
