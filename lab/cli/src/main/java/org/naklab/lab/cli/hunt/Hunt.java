package org.naklab.lab.cli.hunt;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.scenarios.experiment.WilsonInterval;

/** Repeats a run with consecutive seeds until it has happened as often as wanted, or the time is up. */
final class Hunt implements Experiment.Rules<String, Hunt.Finished> {
    /** So many runs one after the other that cannot tell mean that the machine or the options do not allow it. */
    static final int MAX_INCONCLUSIVE = 10;

    private final String scenario;
    private final HuntCondition condition;
    private final HuntOptions.Limits limits;
    private final KeptRuns kept;
    private final Observer observer;
    private final LongSupplier clockNs;
    private final BooleanSupplier isCancelled;
    private final List<HuntSummary.Hit> hits = new ArrayList<>();
    private int runs;
    private int inconclusive;
    private int inconclusiveInARow;
    private long beganNs;
    private HuntSummary.End end = HuntSummary.End.TIME;
    private boolean isEnded;

    /** Executes one run. */
    interface Runner {
        Finished run(long seed) throws InterruptedException;
    }

    /** A finished run. */
    record Finished(Path directory, RunDocument document, String confidence) {}

    /** Is told how the hunt goes. */
    interface Observer {
        /** A run was a hit; its directory is still there. */
        void onHit(HuntSummary.Hit hit) throws InterruptedException;

        /** A run was finished. */
        void onRun(HuntSummary soFar);
    }

    Hunt(
            String scenario,
            HuntCondition condition,
            HuntOptions.Limits limits,
            KeptRuns kept,
            Observer observer,
            LongSupplier clockNs,
            BooleanSupplier isCancelled) {
        this.scenario = scenario;
        this.condition = condition;
        this.limits = limits;
        this.kept = kept;
        this.observer = observer;
        this.clockNs = clockNs;
        this.isCancelled = isCancelled;
    }

    /** Hunts; a run that has begun is always finished, unless the user cancels. */
    HuntSummary run(long firstSeed, Runner runner) throws InterruptedException {
        beganNs = clockNs.getAsLong();
        new Experiment<String, Finished>(
                        Experiment.Order.ARM_BY_ARM, (unused, seed) -> runner.run(seed), this, isCancelled)
                .run(List.of(scenario), firstSeed, Long.MAX_VALUE);
        boolean isInterrupted = !isEnded && isCancelled.getAsBoolean();
        return summary(isInterrupted ? HuntSummary.End.INTERRUPTED : end);
    }

    @Override
    public boolean isOpen(String unused) {
        return !isEnded && elapsedNs() < limits.maxNs();
    }

    @Override
    public void onTrial(Trial<String, Finished> trial) throws InterruptedException {
        take(trial.seed(), trial.result());
        if (hits.size() >= limits.windows()) {
            end(HuntSummary.End.FOUND);
        } else if (inconclusiveInARow >= MAX_INCONCLUSIVE) {
            end(HuntSummary.End.INCONCLUSIVE);
        } else {
            observer.onRun(summary(HuntSummary.End.TIME));
        }
    }

    private void end(HuntSummary.End reason) {
        isEnded = true;
        end = reason;
    }

    private long elapsedNs() {
        return clockNs.getAsLong() - beganNs;
    }

    private void take(long seed, Finished finished) throws InterruptedException {
        runs++;
        if (condition.isMetBy(finished.document())) {
            inconclusiveInARow = 0;
            HuntSummary.Hit hit = new HuntSummary.Hit(
                    runs,
                    seed,
                    finished.directory().toString(),
                    finished.document().finding().diagnosis(),
                    finished.confidence(),
                    true);
            hits.add(hit);
            observer.onHit(hit);
            kept.addHit(finished.directory());
            return;
        }
        // The user may have cut it short: it is no evidence that there is no hit.
        boolean isJudged = condition.isJudgedBy(finished.document()) && !isCancelled.getAsBoolean();
        inconclusiveInARow = isJudged ? 0 : inconclusiveInARow + 1;
        inconclusive += isJudged ? 0 : 1;
        kept.addMiss(finished.directory());
    }

    private HuntSummary summary(HuntSummary.End reason) {
        List<Path> there = kept.hits();
        return new HuntSummary(
                new HuntSummary.Hunted(scenario, condition),
                new HuntSummary.Course(
                        reason,
                        elapsedNs() / Units.MS_NS,
                        runs,
                        inconclusive,
                        WilsonInterval.of(hits.size(), runs - inconclusive)),
                new HuntSummary.Kept(
                        hits.stream()
                                .map(hit -> new HuntSummary.Hit(
                                        hit.run(),
                                        hit.seed(),
                                        hit.directory(),
                                        hit.diagnosis(),
                                        hit.confidence(),
                                        there.contains(Path.of(hit.directory()))))
                                .toList(),
                        kept.miss().map(Path::toString).orElse(null),
                        kept.bytes()));
    }
}
