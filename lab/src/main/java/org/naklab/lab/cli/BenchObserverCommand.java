package org.naklab.lab.cli;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.naklab.lab.Figures;
import org.naklab.lab.bench.ObserverLoss;
import org.naklab.lab.detect.DetectionBench;
import org.naklab.lab.detect.ObserverBench;
import org.naklab.lab.detect.SampleCost;
import org.naklab.lab.detect.SamplerStatistics;
import org.naklab.lab.process.Installation;
import org.naklab.lab.process.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench observer}. */
@Command(
        name = "observer",
        description = {
            "Measure what observing costs: the pipeline's rate with all instruments on against off, in turns; the sampler's share of a",
            "core; how soon a first drop is seen; and one sample beside LMAX's angler, also while sockets that nobody asked about are open."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "The instruments run in the pipeline's own process, so that what they take is taken from it. Rates of single rounds",
            "differ by what else the machine does: look at the span of the losses, and take more rounds if it is wide.",
            "",
            "Examples:",
            "  naklab bench observer",
            "  naklab bench observer --rounds 15 --json"
        })
final class BenchObserverCommand implements Callable<Integer> {
    private static final int SAMPLER_TICKS = 5_000;

    private final Terminal terminal;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "2000000",
            converter = Numbers.Events.class,
            description = "Events a round of the pipeline (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(
            names = "--drops",
            paramLabel = "N",
            defaultValue = "20",
            converter = Numbers.Count.class,
            description = "First drops to detect (default: ${DEFAULT-VALUE}).")
    private int drops;

    @Option(
            names = "--idle-sockets",
            paramLabel = "N",
            defaultValue = "1000",
            converter = Numbers.Count.class,
            description = "Sockets that nobody asked about (default: ${DEFAULT-VALUE}).")
    private int idleSockets;

    /**
     * All figures.
     *
     * @param sampler its share of a core at 1 kHz on an idle process, and how punctual it was
     * @param detectionLatenciesNs from a first drop to its detection, in order of size
     */
    private record Document(
            ObserverLoss.Figures pipeline,
            double samplerCoreShare,
            SamplerStatistics sampler,
            List<Long> detectionLatenciesNs,
            List<SampleCost> sampleCosts) {}

    BenchObserverCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        say("one sample");
        Path angler = Installation.current().root().resolve("lab/target/angler");
        List<SampleCost> costs = ObserverBench.sampleCosts(idleSockets, angler);
        say("the sampler at 1 kHz");
        SamplerStatistics sampler = DetectionBench.samplerCost(SAMPLER_TICKS);
        say("first drops");
        List<Long> latenciesNs = DetectionBench.detectionLatenciesNs(drops);
        Collections.sort(latenciesNs);
        ObserverLoss.Figures pipeline = ObserverLoss.run(options.seed, events, options.rounds, this::say);
        Document document = new Document(pipeline, sampler.cpuShare(), sampler, latenciesNs, costs);
        if (options.json) {
            terminal.out().println(Json.pretty(document));
        } else {
            print(document);
        }
        return ExitCode.OK;
    }

    private void print(Document document) {
        ObserverLoss.Figures pipeline = document.pipeline();
        line("pipeline, instruments off", Figures.count(pipeline.alonePerSecond()), "events/s");
        line("pipeline, all instruments on", Figures.count(pipeline.watchedPerSecond()), "events/s");
        String span =
                "%  (single rounds " + percent(pipeline.leastLoss()) + " to " + percent(pipeline.mostLoss()) + ")";
        line("loss", percent(pipeline.loss()), span);
        line("sampler at 1 kHz", percent(document.samplerCoreShare()), "% of a core");
        line("sampler beside the pipeline", percent(pipeline.samplerCoreShare()), "% of a core");
        List<Long> latenciesNs = document.detectionLatenciesNs();
        String worst = "ms median, " + milliseconds(latenciesNs.get(latenciesNs.size() - 1)) + " ms at worst";
        line("first drop to its detection", milliseconds(latenciesNs.get(latenciesNs.size() / 2)), worst);
        document.sampleCosts().forEach(this::print);
        if (document.sampleCosts().stream().noneMatch(cost -> cost.method().equals("angler"))) {
            say("angler is not beside this build, so there is nothing to compare with");
        }
    }

    private void print(SampleCost cost) {
        String idle = cost.idleSockets() == 0 ? "" : ", " + Figures.count(cost.idleSockets()) + " idle";
        String rest = String.format(
                Locale.ROOT,
                "ns median, %,d ns p99, %.1f bytes allocated",
                cost.p99Ns(),
                cost.allocatedBytesPerSample());
        line("one sample by " + cost.method() + idle, Figures.count(cost.medianNs()), rest);
    }

    private void line(String what, String figure, String unit) {
        terminal.out().printf(Locale.ROOT, "%-34s %14s %s%n", what, figure, unit);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", 100 * share);
    }

    private static String milliseconds(long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / 1e6);
    }

    private void say(String what) {
        terminal.err().println(what);
    }
}
