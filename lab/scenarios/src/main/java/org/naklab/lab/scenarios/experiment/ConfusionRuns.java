package org.naklab.lab.scenarios.experiment;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.runner.RunListener;

/**
 * Executes the runs of a {@link Confusion} with the default options, each in a directory of its own.
 *
 * @param rate of the order flow, events per second; {@code null}: the scenario's own
 * @param listener is told about each run
 */
public record ConfusionRuns(@Nullable Long rate, DefaultRuns runs, RunListener listener) implements Confusion.Runs {
    @Override
    public void check(Confusion.Case chosen, long seed) {
        RunPlan unused = plan(chosen, seed);
    }

    @Override
    public Confusion.Attempt run(Confusion.Case chosen, long seed, Cancellation cancellation)
            throws InterruptedException {
        RunPlan plan = runs.place(plan(chosen, seed));
        return new Confusion.Attempt(runs.execute(chosen.scenario(), plan, listener, cancellation), plan.directory());
    }

    private RunPlan plan(Confusion.Case chosen, long seed) {
        return runs.plan(chosen.scenario(), chosen.fidelity(), seed, rate, null);
    }
}
