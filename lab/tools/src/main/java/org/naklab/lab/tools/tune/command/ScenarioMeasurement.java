package org.naklab.lab.tools.tune.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.ServiceSettings;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.Measurement;
import org.naklab.lab.tools.tune.Sample;
import org.naklab.lab.tools.tune.workload.Figure;

/** Runs a scenario for each run of an arm, whose flags and variables go to the process of the service. The value is the 99th percentile of the latency, from {@code run.json}. */
final class ScenarioMeasurement implements Measurement {
    private final Scenario scenario;
    private final DefaultRuns runs;
    private final @Nullable Long eventsPerSecond;
    private final @Nullable Long durationNs;
    private final Cancellation cancellation;

    /**
     * Creates one.
     *
     * @param eventsPerSecond of the flow; {@code null}: the scenario's own
     * @param durationNs of the flow; {@code null}: the scenario's own
     */
    ScenarioMeasurement(
            Scenario scenario,
            DefaultRuns runs,
            @Nullable Long eventsPerSecond,
            @Nullable Long durationNs,
            Cancellation cancellation) {
        this.scenario = scenario;
        this.runs = runs;
        this.eventsPerSecond = eventsPerSecond;
        this.durationNs = durationNs;
        this.cancellation = cancellation;
    }

    @Override
    public Sample measure(Arm arm, long seed) throws InterruptedException {
        ServiceSettings settings = new ServiceSettings(arm.jvmFlags(), arm.environment());
        RunPlan plan = runs.place(runs.plan(scenario, scenario.fidelities().get(0), seed, eventsPerSecond, durationNs)
                .with(settings));
        ServiceUse use = new ServiceUse();
        execute(plan, use);
        RunRecord record = Json.read(plan.directory().resolve(RunRecord.NAME), RunRecord.class);
        List<String> missing = record.judged().troubles().stream()
                .filter(trouble -> trouble.startsWith(ServiceSettings.NOT_IN_EFFECT))
                .map(trouble -> trouble.substring(ServiceSettings.NOT_IN_EFFECT.length()))
                .toList();
        String verdict = record.document().finding().verdict();
        if (missing.isEmpty()
                && !Verdict.PASS.label().equals(verdict)
                && !Verdict.FAIL.label().equals(verdict)) {
            throw new LabException("the verdict of the run in " + plan.directory() + " is unknown: "
                    + record.course().reason());
        }
        LatencyRecord latency = latencyOf(record, plan);
        LatencyRecord.Hop hop = latency.dueToBook();
        return new Sample(
                hop.p99Us(),
                new Sample.Cost(use.startMs(), use.cpuMs(), use.memoryBytes(), use.hugePageBytes()),
                List.of(
                        new Figure("50 %, µs", hop.p50Us()),
                        new Figure("longest, µs", hop.maxUs()),
                        new Figure("late by 1 ms, events", latency.late().over1Ms()),
                        new Figure(
                                "dropped, datagrams", record.document().counts().datagramsDropped())),
                new Sample.Effect(
                        settings.isEmpty()
                                ? List.of()
                                : settings.options().stream()
                                        .map(option -> "found in the process of the service: " + option)
                                        .toList(),
                        missing),
                Verdict.FAIL.label().equals(verdict) ? failedConditions(record) : List.of());
    }

    private static List<String> failedConditions(RunRecord record) {
        return record.judged().conditions().stream()
                .filter(condition -> condition.verdict().equals(Verdict.FAIL.label()))
                .map(RunRecord.Condition::claim)
                .toList();
    }

    /** Runs; an interruption ends the comparison, and is no failure of the arm. */
    private void execute(RunPlan plan, ServiceUse use) throws InterruptedException {
        try {
            runs.execute(scenario, plan, use, cancellation);
        } catch (LabException e) {
            if (cancellation.isRequested()) {
                throw new InterruptedException(e.getMessage());
            }
            throw e;
        }
    }

    private static LatencyRecord latencyOf(RunRecord record, RunPlan plan) {
        return record.reported().subscribers().stream()
                .filter(subscriber -> subscriber.name().equals(ProcessNames.SERVICE))
                .map(subscriber -> subscriber.effects().latency())
                .filter(latency -> latency != null && latency.dueToBook().count() > 0)
                .findFirst()
                .orElseThrow(() -> new LabException("the run in " + plan.directory() + " measured no latency"));
    }
}
