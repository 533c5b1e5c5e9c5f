package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.messaging.Topic;

/**
 * Executes the runs of a {@link ForeignExperiment}: a healthy service, which a script disturbs.
 *
 * @param scenario that injects nothing
 * @param rate of the order flow, events per second; {@code null}: the disturbance's or the scenario's own
 * @param durationNs of the order flow, ns; {@code null}: the scenario's own
 * @param busy the script of the load
 */
public record ForeignRuns(
        Scenario scenario, @Nullable Long rate, @Nullable Long durationNs, DefaultRuns runs, Path busy)
        implements ForeignExperiment.Runs {
    private static final String WORK = "foreign";
    /** From the begin of the counted window to the disturbance, so that it comes at another phase of each run. */
    private static final long LEAST_LEAD_MS = 300;

    private static final long MOST_LEAD_MS = 1_300;
    /** After the end of a disturbance: for drops, repair and the measurements of the script. */
    private static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(2);

    @Override
    public void check(Disturbance disturbance) {
        RunPlan plan = plan(disturbance, 0);
        long needsNs = scenario.warmUpNs(plan)
                + TimeUnit.MILLISECONDS.toNanos(MOST_LEAD_MS)
                + disturbance.lengthNs()
                + AFTERMATH_NS;
        if (plan.workload().durationNs() < needsNs) {
            throw new UsageException("the disturbance " + disturbance.name() + " needs --duration of at least "
                    + Format.seconds(needsNs) + " here");
        }
    }

    @Override
    public Optional<String> refusal(Disturbance disturbance) throws InterruptedException {
        return DisturbanceScript.refusal(disturbance);
    }

    @Override
    public AutoCloseable load(Load load) {
        return load == Load.BUSY ? new BusyLoad(busy) : () -> {};
    }

    @Override
    public ForeignExperiment.Outcome run(ForeignExperiment.Case chosen, Cancellation cancellation)
            throws InterruptedException {
        Disturbance disturbance = chosen.disturbance();
        RunPlan plan = runs.place(plan(disturbance, chosen.seed()));
        Path directory = plan.directory();
        long leadMs = new SplittableRandom(chosen.seed()).nextLong(LEAST_LEAD_MS, MOST_LEAD_MS);
        try (DisturbanceScript script = new DisturbanceScript(disturbance, directory.resolve(WORK), chosen.seed())) {
            script.set("LEAD_MS", String.valueOf(leadMs));
            script.set("RUN", directory.toString());
            script.set("JOURNAL", plan.journalDirectory().toString());
            script.set("FEED_ADDRESS", plan.channels().group(Topic.ORDER_BOOK_EVENTS));
            script.set("FEED_PORT", String.valueOf(plan.channels().port(Topic.ORDER_BOOK_EVENTS)));
            script.set("INTERFACE", plan.channels().networkInterface());
            try (DisturbedRun disturbed = new DisturbedRun(script, disturbance, scenario.warmUpNs(plan))) {
                Optional<String> unprepared = script.prepare();
                if (unprepared.isPresent()) {
                    return new ForeignExperiment.Outcome(
                            Proof.notMade(unprepared.get()), Verdict.UNKNOWN.label(), DiagnosisReading.NONE, directory);
                }
                RunResult result = runs.execute(scenario, plan, disturbed, cancellation);
                return new ForeignExperiment.Outcome(
                        disturbed.proof(), result.verdict().label(), DiagnosisReading.of(directory), directory);
            } finally {
                script.undo();
            }
        }
    }

    private RunPlan plan(Disturbance disturbance, long seed) {
        return runs.plan(
                scenario,
                Fidelity.NONE,
                seed,
                rate == null ? disturbance.demands().rate() : rate,
                durationNs);
    }
}
