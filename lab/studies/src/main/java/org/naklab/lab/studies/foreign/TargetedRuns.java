package org.naklab.lab.studies.foreign;

import java.util.Optional;
import org.naklab.lab.core.Cancellation;

/**
 * Makes each disturbance on its target.
 *
 * @param runs disturb a run of the lab
 * @param watches disturb a receiver under watch
 */
public record TargetedRuns(ForeignExperiment.Runs runs, ForeignExperiment.Runs watches)
        implements ForeignExperiment.Runs {
    @Override
    public void check(Disturbance disturbance) {
        of(disturbance).check(disturbance);
    }

    @Override
    public Optional<String> refusal(Disturbance disturbance) throws InterruptedException {
        return of(disturbance).refusal(disturbance);
    }

    @Override
    public AutoCloseable load(Load load) {
        return runs.load(load);
    }

    @Override
    public ForeignExperiment.Outcome run(ForeignExperiment.Case chosen, Cancellation cancellation)
            throws InterruptedException {
        return of(chosen.disturbance()).run(chosen, cancellation);
    }

    private ForeignExperiment.Runs of(Disturbance disturbance) {
        return disturbance.target() == Target.WATCH ? watches : runs;
    }
}
