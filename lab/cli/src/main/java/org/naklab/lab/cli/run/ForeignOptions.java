package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.replica.process.Installation;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.foreign.Disturbance;
import org.naklab.lab.scenarios.foreign.Disturbances;
import org.naklab.lab.scenarios.foreign.ForeignExperiment;
import org.naklab.lab.scenarios.foreign.ForeignRuns;
import org.naklab.lab.scenarios.foreign.ForeignWatches;
import org.naklab.lab.scenarios.foreign.Load;
import org.naklab.lab.scenarios.foreign.TargetedRuns;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.watch.command.WatchCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code confusion --foreign}. */
final class ForeignOptions {
    private static final String BUSY = "lib/busy";
    /** The compiler option with which the launcher starts a watch. */
    private static final List<String> COMPILER = List.of("-XX:TieredStopAtLevel=1");

    @Option(
            names = "--foreign",
            description = "Disturb a healthy run from outside, by scripts, instead of injecting the lab's own faults.")
    private boolean isGiven;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "With --foreign: only these disturbances (default: all).")
    private List<String> only = List.of();

    @Option(
            names = "--loads",
            paramLabel = "L",
            split = ",",
            description = "With --foreign: loads of the machine: none, and busy with a loop of nice 19 per processor "
                    + "(default: none,busy).")
    private List<String> loads = List.of();

    @Option(
            names = "--duration",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description = "With --foreign: duration of the order flow per run, such as 8s (default: 10s).")
    private @Nullable Long durationNs;

    @Option(
            names = "--scripts",
            paramLabel = "DIR",
            description = "With --foreign: also take the disturbances of this directory; may be repeated.")
    private List<Path> scripts = List.of();

    @Option(names = "--list", description = "With --foreign: list the disturbances and what they need; run nothing.")
    private boolean isListed;

    /**
     * Checks what no option can check alone.
     *
     * @throws ParameterException if options contradict each other
     */
    void check(CommandSpec spec, boolean isCauseGiven) {
        boolean isForeignOnly =
                !only.isEmpty() || !loads.isEmpty() || durationNs != null || !scripts.isEmpty() || isListed;
        if (!isGiven && isForeignOnly) {
            throw new ParameterException(
                    spec.commandLine(), "--only, --loads, --duration, --scripts and --list need --foreign");
        }
        if (isGiven && isCauseGiven) {
            throw new ParameterException(
                    spec.commandLine(), "--cause is for the lab's own faults; with --foreign, use --only");
        }
    }

    boolean isGiven() {
        return isGiven;
    }

    boolean isListed() {
        return isListed;
    }

    List<Disturbance> disturbances() {
        List<Path> directories = new ArrayList<>(List.of(Disturbances.directory(Installation.current())));
        directories.addAll(scripts);
        return Disturbances.of(directories, only);
    }

    List<Load> loads() {
        return loads.isEmpty()
                ? List.of(Load.values())
                : loads.stream().map(Load::of).distinct().toList();
    }

    ForeignExperiment.Runs runs(CommandSpec spec, @Nullable Long rate, DefaultRuns runs) {
        Installation installation = Installation.current();
        return new TargetedRuns(
                new ForeignRuns(
                        new Baseline(),
                        rate,
                        durationNs,
                        runs,
                        Disturbances.directory(installation).resolve(BUSY)),
                new ForeignWatches(
                        installation.command(COMPILER, spec.root().userObject().getClass(), List.of("watch")),
                        WatchCommand.RECORDED_IN,
                        runs.directory().toAbsolutePath()));
    }
}
