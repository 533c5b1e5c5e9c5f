package org.naklab.lab.studies.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Format;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.studies.observer.WatchCost;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code naklab bench watch}. */
@Command(
        name = "watch",
        description = {
            "Measure the cost of naklab watch in about four minutes.",
            "It prints what a watch takes of a core, by thread, and what the receiver that",
            "it watches pays for each datagram."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A receiver in Java gets datagrams on loopback at a fixed rate: one that waits",
            "most of the time, and one that works for each datagram and so is busy most of",
            "the time. It is watched and not watched in turns. What the receiver pays is",
            "the CPU time of its thread for each datagram, which other load changes little;",
            "what the watch takes is the CPU time of all its processes, after a start of",
            "8 s. Intervals have the true figure in them with 95 %% confidence.",
            "",
            "Exit code 0: the watch took less than 2 %% of a core, and the receiver lost less",
            "than 1 %% of its datagrams for the same CPU time, on average. 1: it took more.",
            "",
            "Examples:",
            "  naklab bench watch",
            "  naklab bench watch --rounds 12 --json"
        })
public final class BenchWatchCommand implements Callable<Integer> {
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final double MOST_CORE = 0.02;
    private static final double MOST_LOSS = 0.01;
    /** With which the launcher starts a watch. */
    private static final List<String> OPTIONS =
            List.of("-XX:TieredStopAtLevel=1", "-Dagrona.disable.bounds.checks=false");

    private final Terminal terminal;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "6",
            converter = Converters.Count.class,
            description =
                    "Measured rounds of each receiver, each with and without a watch (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50000",
            converter = Converters.Count.class,
            description = "Datagrams per second (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(
            names = "--length",
            paramLabel = "SECONDS",
            defaultValue = "4",
            converter = Converters.Count.class,
            description = "Length of a time with or without a watch (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    /** All figures. */
    private record Document(List<WatchCost.Figures> receivers) {}

    BenchWatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        List<String> watch =
                Installation.current().command(OPTIONS, spec.root().userObject().getClass(), List.of("watch"));
        List<WatchCost.Figures> figures = new ArrayList<>();
        int all = rounds * WatchCost.Load.values().length;
        try (StepProgress progress = StepProgress.untilInterrupted(terminal, all, () -> {})) {
            for (WatchCost.Load load : WatchCost.Load.values()) {
                int before = figures.size() * rounds;
                figures.add(WatchCost.run(
                        watch,
                        load,
                        rate,
                        Math.max(2, rounds),
                        SETTLE_NS,
                        TimeUnit.SECONDS.toNanos(seconds),
                        done -> progress.onStep(before + done, "rounds")));
            }
        }
        if (json.isGiven()) {
            json.print(terminal, new Document(figures));
        } else {
            figures.forEach(this::print);
        }
        boolean holds = figures.stream()
                .allMatch(each ->
                        each.coreShare().mean() < MOST_CORE && each.loss().mean() < MOST_LOSS);
        return holds ? ExitCode.OK : Verdict.FAIL.exitCode();
    }

    private void print(WatchCost.Figures figures) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.LEFT).indent(0);
        String name = figures.load().name().toLowerCase(Locale.ROOT);
        table.row(
                name + " receiver",
                percent(figures.receiverCoreShare()),
                "% of a core without a watch, " + Format.count(rate) + " datagrams/s");
        table.row(
                "  lost by watching",
                percent(figures.loss().mean()),
                "% of its datagrams for the same CPU time" + interval(figures.loss()));
        table.row("  datagrams dropped", percent(figures.lostShare()), "% while it was watched");
        table.row("  watch", percent(figures.coreShare().mean()), "% of a core" + interval(figures.coreShare()));
        figures.threadCoreShares()
                .forEach((thread, share) -> table.row("    thread " + thread, percent(share), "% of a core"));
        table.print();
    }

    private static String interval(WatchCost.Estimate estimate) {
        return "  (95 %: " + percent(estimate.from()) + " to " + percent(estimate.to()) + ')';
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", 100 * share);
    }
}
