package org.naklab.lab.tools.tune.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.Option;

/** The options that all runs of a compared scenario share. */
public final class ScenarioOptions {
    /** The names of the options. */
    public static final List<String> NAMES = List.of("--fidelity", "--rate", "--duration");

    @Option(
            names = "--fidelity",
            paramLabel = "F",
            description = "Fidelity of a scenario (default: its first that works here).")
    private @Nullable Fidelity fidelity;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second of a scenario (default: its own).")
    private @Nullable Long rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "Duration of the flow of a scenario, such as 5s (default: its own).")
    private @Nullable Long durationNs;

    /**
     * Returns the fidelity of the runs.
     *
     * @throws UsageException the scenario does not have the one that is asked for, or this machine can make none
     */
    public Fidelity fidelity(Scenario scenario) {
        List<Fidelity> possible = fidelity == null ? scenario.fidelities() : List.of(fidelity);
        if (!scenario.fidelities().containsAll(possible)) {
            throw new UsageException(scenario.name() + " cannot be run with fidelity " + fidelity + ", only with "
                    + scenario.fidelities());
        }
        return possible.stream()
                .filter(each -> scenario.refusal(each, Remedy.NONE).isEmpty())
                .findFirst()
                .orElseThrow(() -> new UsageException(scenario.name() + " cannot be run: "
                        + scenario.refusal(possible.get(0), Remedy.NONE).orElse("")));
    }

    /** Returns the plan of a run that is not placed. */
    RunPlan plan(Scenario scenario, Fidelity chosen, DefaultRuns runs, long seed) {
        return runs.plan(scenario, chosen, seed, rate, durationNs);
    }
}
