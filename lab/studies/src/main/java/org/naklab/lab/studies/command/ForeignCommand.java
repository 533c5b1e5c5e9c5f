package org.naklab.lab.studies.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.Installation;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.studies.foreign.Disturbance;
import org.naklab.lab.studies.foreign.Disturbances;
import org.naklab.lab.studies.foreign.ForeignExperiment;
import org.naklab.lab.studies.foreign.ForeignMatrix;
import org.naklab.lab.studies.foreign.ForeignRuns;
import org.naklab.lab.studies.foreign.ForeignWatches;
import org.naklab.lab.studies.foreign.Load;
import org.naklab.lab.studies.foreign.TargetedRuns;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.MachineLoad;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.FirstSeedOption;
import org.naklab.lab.terminal.runs.RunJsonOption;
import org.naklab.lab.terminal.runs.RunsOption;
import org.naklab.lab.watch.command.WatchCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code naklab confusion foreign}: the blind matrix. */
@Command(
        name = "foreign",
        description = {
            "Disturb healthy runs from outside and compare what was done with the diagnosis: the blind matrix. "
                    + "Scripts that share no code with the lab's faults or its diagnosis disturb a run, or a receiver under "
                    + "watch, and measure themselves what they did. Every disturbance that was made counts; one without "
                    + "proof is listed as not made. To add a disturbance, add a script."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab confusion foreign --list",
            "  naklab confusion foreign --seeds 3",
            "  naklab confusion foreign --only sigstop,healthy --loads none --seeds 1",
            "",
            "Exit codes: 0 if no statement 'certain' is wrong, 90 %% are named, the rest is shown as not explained "
                    + "with its account, and the verdicts fit; 1 otherwise, 64 wrong usage, 69 port in use by another "
                    + "run or program, 70 internal error."
        })
final class ForeignCommand implements Callable<Integer> {
    private static final String BUSY = "lib/busy";
    /** The compiler option with which the launcher starts a watch. */
    private static final List<String> COMPILER = List.of("-XX:TieredStopAtLevel=1");

    private final Terminal terminal;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "5",
            converter = Converters.Count.class,
            description = "Runs per disturbance and load, with consecutive seeds (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Mixin
    private FirstSeedOption firstSeed;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Only these disturbances (default: all).")
    private List<String> only = List.of();

    @Option(
            names = "--loads",
            paramLabel = "L",
            split = ",",
            description =
                    "Loads of the machine: none, and busy with a loop of nice 19 per processor (default: none,busy).")
    private List<String> loads = List.of();

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second (default: that of the scenario baseline).")
    private @Nullable Long rate;

    @Option(
            names = "--duration",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description = "Duration of the order flow per run, such as 8s (default: 10s).")
    private @Nullable Long durationNs;

    @Option(
            names = "--scripts",
            paramLabel = "DIR",
            description = "Also take the disturbances of this directory; may be repeated.")
    private List<Path> scripts = List.of();

    @Option(names = "--list", description = "List the disturbances and what they need; run nothing.")
    private boolean isListed;

    @Mixin
    private RunsOption runs;

    @Mixin
    private RunJsonOption json;

    @Mixin
    private NetworkOptions network;

    @Spec
    private CommandSpec spec;

    ForeignCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        List<Disturbance> disturbances = disturbances();
        List<Load> under = loads();
        int runsOfEach = under.size() * seeds;
        StepProgress steps = new StepProgress(disturbances.size() * runsOfEach);
        ForeignPrinter printer = new ForeignPrinter(terminal, runsOfEach, steps);
        if (isListed) {
            printer.printDisturbances(disturbances);
            return ExitCode.OK;
        }
        try {
            ForeignExperiment experiment =
                    new ForeignExperiment(disturbances, under, runs(Installation.current()), printer);
            MachineLoad.warn(terminal, "a verdict may be UNKNOWN: stop them; a run in doubt is repeated");
            ForeignMatrix matrix = ShutdownHook.untilSignal(cancellation -> {
                ForeignMatrix made = experiment.run(seeds, firstSeed.seed(), cancellation);
                if (cancellation.isRequested()) {
                    terminal.err().println(steps.interrupted("runs"));
                }
                return made;
            });
            if (json.isGiven()) {
                terminal.out().println(matrix.text());
            } else {
                printer.print(matrix);
            }
            return matrix.isSuccess() ? ExitCode.OK : ExitCode.FAIL;
        } finally {
            network.close();
        }
    }

    private List<Disturbance> disturbances() {
        List<Path> directories = new ArrayList<>(List.of(Disturbances.directory(Installation.current())));
        directories.addAll(scripts);
        return Disturbances.of(directories, only);
    }

    private List<Load> loads() {
        return loads.isEmpty()
                ? List.of(Load.values())
                : loads.stream().map(Load::of).distinct().toList();
    }

    private ForeignExperiment.Runs runs(Installation installation) {
        DefaultRuns defaults = new DefaultRuns(network::channels, runs.directory(), Version.current());
        return new TargetedRuns(
                new ForeignRuns(
                        new Baseline(),
                        rate,
                        durationNs,
                        defaults,
                        Disturbances.directory(installation).resolve(BUSY)),
                new ForeignWatches(
                        installation.command(COMPILER, spec.root().userObject().getClass(), List.of("watch")),
                        WatchCommand.RECORDED_IN,
                        defaults.directory().toAbsolutePath()));
    }
}
