package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.runner.RunListener;

/**
 * Executes the runs of a {@link PairExperiment} with the default options, each in a directory of its own with its plan in a file.
 *
 * @param rate of the order flow, events per second; {@code null}: the scenario's own
 * @param listener is told about each run
 */
public record PairRuns(@Nullable Long rate, DefaultRuns runs, RunListener listener) implements PairExperiment.Runs {
    @Override
    public Confusion.Attempt run(CausePair pair, long seed, Cancellation cancellation) throws InterruptedException {
        RunPlan plan = runs.place(runs.plan(pair.scenario(), pair.fidelity(), seed, rate, null));
        RunPlan faulty = pair.faults().isEmpty() ? plan : plan.with(added(pair, plan));
        return new Confusion.Attempt(runs.execute(pair.scenario(), faulty, listener, cancellation), faulty.directory());
    }

    private static AddedFaults added(CausePair pair, RunPlan plan) {
        Path file = plan.directory().resolve(RunPlan.FAULTS_FILE);
        Json.write(file, Json.tree(new FaultPlan(plan.seed(), pair.faults()), JsonNode.class));
        return new AddedFaults(pair.faults(), List.of("--plan", file.toString()));
    }
}
