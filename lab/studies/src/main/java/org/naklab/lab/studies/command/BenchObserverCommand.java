package org.naklab.lab.studies.command;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.studies.detection.DetectionBench;
import org.naklab.lab.studies.detection.ObserverBench;
import org.naklab.lab.studies.detection.SampleCost;
import org.naklab.lab.studies.detection.SamplerOverhead;
import org.naklab.lab.studies.observer.ObserverOverhead;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.command.SeedOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench observer}. */
@Command(
        name = "observer",
        description = {
            "Measure the overhead of observation in about six minutes.",
            "It prints the pipeline's rate with all instruments on and off (interleaved), the",
            "sampler's share of a core, the detection time of a first drop, and one sample",
            "compared with LMAX's angler, also with unrelated idle sockets."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The pipeline is a source that sends as fast as the service can take events,",
            "and the market data service with receipt, books and journal, both in one",
            "process, which keeps two cores busy. The instruments run in another process, as",
            "in a run; the replica's own support for observation (heartbeat, timed",
            "callbacks) is switched on and off with them.",
            "",
            "A round consists of 0.2 s with all instruments between two periods of 0.1 s",
            "without, in one run of the pipeline. In the periods without, the instruments'",
            "process is stopped by a signal; between two rounds, the replica's own support",
            "is on alone. The programs of the kernel recorder run all the time: the kernel",
            "times them. Because rounds differ, the overhead is printed with its 95 %%",
            "confidence interval. Four times the rounds halve its width.",
            "",
            "The sampler's share is a median, because a hypervisor that takes the CPU away",
            "while the sampler is on it distorts a few periods; the mean is printed as well.",
            "Most of the share is waking up, whose cost differs by a multiple between",
            "machines; it is therefore measured separately.",
            "",
            "Exit code 0: all targets met (overhead under 2 %%, less than 1 %% of a core added",
            "by the sampler to waking up, every first drop detected within 10 ms, and a",
            "sample faster than angler's). 1: a target was missed.",
            "",
            "Examples:",
            "  naklab bench observer",
            "  naklab bench observer --rounds 2400 --json"
        })
public final class BenchObserverCommand implements Callable<Integer> {
    private static final int SAMPLER_ROUNDS = 5;
    private static final int SAMPLER_TICKS = 1_000;

    private final Terminal terminal;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "600",
            converter = Converters.Count.class,
            description = "Measured rounds, each with and without instruments (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "12000000",
            converter = Converters.Events.class,
            description = "Events per run of the pipeline, about 30 rounds (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(
            names = "--drops",
            paramLabel = "N",
            defaultValue = "20",
            converter = Converters.Count.class,
            description = "Number of first drops to detect (default: ${DEFAULT-VALUE}).")
    private int drops;

    @Option(
            names = "--idle-sockets",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Converters.Count.class,
            description = "Unrelated idle sockets (default: ${DEFAULT-VALUE}).")
    private int idleSockets;

    /**
     * All figures.
     *
     * @param samplerCoreShare the sampler's share of a core on an idle process: median of the rounds
     * @param wakeUpCoreShare the share of a sampler without instruments: median likewise
     * @param addedCoreShare the median of the differences, round by round
     * @param sampler its mean share, and how punctual it was
     * @param detectionLatenciesNs from a first drop to its detection, in order of size
     */
    private record Document(
            ObserverOverhead.Figures pipeline,
            double samplerCoreShare,
            double wakeUpCoreShare,
            double addedCoreShare,
            SamplerStatistics sampler,
            List<Long> detectionLatenciesNs,
            List<SampleCost> sampleCosts,
            List<ObserverBudget> limits) {}

    BenchObserverCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        printProgress("one sample");
        Path angler = Installation.current().root().resolve("lab/studies/target/angler");
        List<SampleCost> costs = ObserverBench.sampleCosts(idleSockets, angler);
        printProgress("the sampler");
        SamplerOverhead sampler = DetectionBench.samplerOverhead(SAMPLER_ROUNDS, SAMPLER_TICKS);
        printProgress("first drops");
        List<Long> latenciesNs = DetectionBench.detectionLatenciesNs(drops);
        Collections.sort(latenciesNs);
        ObserverOverhead.Figures pipeline;
        printProgress("the pipeline, watched throughout, then in rounds with and without instruments");
        try (StepProgress progress = StepProgress.untilInterrupted(terminal, rounds, () -> {})) {
            pipeline = ObserverOverhead.run(seed.seed(), events, rounds, done -> progress.onStep(done, "rounds"));
        }
        List<ObserverBudget> limits = ObserverBudget.all(pipeline, sampler, latenciesNs, costs);
        Document document = new Document(
                pipeline,
                sampler.samplerShare(),
                sampler.wakeUpShare(),
                sampler.addedShare(),
                sampler.statistics(),
                latenciesNs,
                costs,
                limits);
        if (json.isGiven()) {
            json.print(terminal, document);
        } else {
            print(document);
        }
        return limits.stream().allMatch(ObserverBudget::holds) ? ExitCode.OK : Verdict.FAIL.exitCode();
    }

    private void print(Document document) {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.LEFT).indent(0);
        ObserverOverhead.Figures pipeline = document.pipeline();
        table.row("pipeline, instruments off", Format.count(pipeline.rates().alonePerSecond()), "events/s");
        table.row("pipeline, all instruments on", Format.count(pipeline.rates().watchedPerSecond()), "events/s");
        table.row(
                "loss",
                percent(pipeline.cost().loss()),
                interval(pipeline.cost().lossFrom(), pipeline.cost().lossTo()));
        table.row(
                "  by the replica's own",
                percent(pipeline.replicaCost().replicaLoss()),
                interval(
                        pipeline.replicaCost().replicaLossFrom(),
                        pipeline.replicaCost().replicaLossTo()));
        table.row(
                "sampler",
                percent(document.samplerCoreShare()),
                "% of a core on an idle process" + mean(document.sampler().cpuShare()));
        table.row("  added to waking up", percent(document.addedCoreShare()), "% of a core");
        table.row(
                "  waking up alone", percent(document.wakeUpCoreShare()), "% of a core: a sampler without instruments");
        table.row(
                "sampler beside the pipeline",
                percent(pipeline.cores().samplerCoreShare()),
                "% of a core" + mean(pipeline.cores().samplerMeanCoreShare()));
        table.row("whole observer beside it", percent(pipeline.cores().observerCoreShare()), "% of a core");
        pipeline.cores()
                .threadCoreShares()
                .forEach((thread, share) -> table.row("  thread " + thread, percent(share), "% of a core"));
        ObserverOverhead.KernelProgramShare programs = pipeline.kernelPrograms();
        table.row(
                "programs in the kernel",
                percent(programs.coreShare()),
                String.format(
                        Locale.ROOT,
                        "%% of a core, on and off: %,.0f runs/s of %.0f ns",
                        programs.perSecond(),
                        programs.runNs()));
        pipeline.instruments().forEach(share -> add(table, share));
        Histogram latenciesNs = DetectionBench.histogramNs(document.detectionLatenciesNs());
        String worst = "ms median, " + milliseconds(latenciesNs.getMaxValue()) + " ms at worst";
        table.row("first drop to its detection", milliseconds(latenciesNs.getValueAtPercentile(50)), worst);
        document.sampleCosts().forEach(cost -> add(table, cost));
        table.print();
        document.limits().forEach(limit -> printProgress(limit.toString()));
        if (document.sampleCosts().stream().noneMatch(cost -> cost.method().equals("angler"))) {
            printProgress("angler is not part of this build; no comparison");
        }
    }

    private static void add(Table table, ObserverOverhead.InstrumentShare share) {
        String rest = String.format(
                Locale.ROOT, "%% of a core: %,.0f samples/s of %.2f us", share.perSecond(), share.sampleUs());
        table.row("  instrument " + share.instrument(), percent(share.coreShare()), rest);
    }

    private static void add(Table table, SampleCost cost) {
        String idle = cost.idleSockets() == 0 ? "" : ", " + Format.count(cost.idleSockets()) + " idle";
        String rest = String.format(
                Locale.ROOT,
                "ns median, %,d ns p99, %.1f bytes allocated",
                cost.p99Ns(),
                cost.allocatedBytesPerSample());
        table.row("one sample by " + cost.method() + idle, Format.count(cost.medianNs()), rest);
    }

    private static String interval(double from, double to) {
        return "%  (95 %: " + percent(from) + " to " + percent(to) + ')';
    }

    private static String mean(double share) {
        return "  (median; mean " + percent(share) + ')';
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", 100 * share);
    }

    private static String milliseconds(long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / Units.NS_PER_MS);
    }

    private void printProgress(String what) {
        terminal.err().println(what);
    }
}
