package org.naklab.lab.tools.tune.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.records.RunRecord;
import org.naklab.lab.records.SubscriberRecord;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.ServiceSettings;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.terminal.ShutdownHook;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.Measurement;
import org.naklab.lab.tools.tune.Sample;
import org.naklab.lab.tools.tune.workload.Figure;
import org.naklab.lab.tools.tune.workload.Metric;

/**
 * Runs a scenario for each run of an arm, whose flags and variables go to the process of the service. The value, from {@code run.json}, is the 99th percentile of the
 * latency, or whether the service sent a NAK.
 */
public final class ScenarioMeasurement implements Measurement, AutoCloseable {
    /** The name of the figure of the latency that one event in a thousand exceeds. */
    static final String P999 = "99.9 %, µs";

    private final Cancellation cancellation = new Cancellation();
    private final Scenario scenario;
    private final ScenarioOptions options;
    private final Fidelity fidelity;
    private final DefaultRuns runs;
    private final Metric metric;
    private final Consumer<Path> onRun;

    /**
     * Creates one; until it is closed, a signal lets the run that goes on end in order.
     *
     * @param metric {@link Metric#HITS}: the value is 1 if the service sent a NAK, otherwise 0
     * @param runs executes the runs
     * @param onRun takes the directory of each run that has ended
     * @throws UsageException the scenario cannot be run with the fidelity that is asked for
     */
    public ScenarioMeasurement(
            Scenario scenario, ScenarioOptions options, Metric metric, DefaultRuns runs, Consumer<Path> onRun) {
        this.scenario = scenario;
        this.options = options;
        this.fidelity = options.fidelity(scenario);
        this.metric = metric;
        this.runs = runs;
        this.onRun = onRun;
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ShutdownHook.await(cancellation), "wind-down"));
    }

    /**
     * Returns the arms, whose instruments this machine has.
     *
     * @throws UsageException an arm asks for instruments that there are not, or not on this machine
     */
    public static List<Arm> checked(List<Arm> arms) {
        String reason = arms.stream().anyMatch(arm -> level(arm) == InstrumentLevel.FULL)
                ? KernelRecorder.whyNot(RecorderSource.BPF)
                : "";
        if (!reason.isEmpty()) {
            throw new UsageException("there are no full instruments on this machine: " + reason);
        }
        return arms;
    }

    private static InstrumentLevel level(Arm arm) {
        String word = arm.observed().orElse(InstrumentLevel.NORMAL.label());
        return Stream.of(InstrumentLevel.values())
                .filter(level -> level.label().equals(word))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        "no instruments '" + word + "'; there are: " + List.of(InstrumentLevel.values())));
    }

    /** Returns what is compared. */
    public ArmComparer.Target target() {
        return new ArmComparer.Target(
                metric.isShare()
                        ? "the runs in which the service sent a NAK; it counts by itself"
                        : "99 % of the latency from due to the order books of the service",
                metric,
                this);
    }

    @Override
    public Sample measure(Arm arm, long seed) throws InterruptedException {
        ServiceSettings settings = new ServiceSettings(arm.jvmFlags(), arm.environment());
        RunPlan plan = runs.place(
                options.plan(scenario, fidelity, runs, seed).with(settings).observedBy(level(arm)));
        ServiceUse use = new ServiceUse();
        execute(plan, use);
        onRun.accept(plan.directory());
        RunRecord record = Json.read(plan.directory().resolve(RunRecord.NAME), RunRecord.class);
        List<String> missing = record.judged().troubles().stream()
                .filter(trouble -> trouble.startsWith(ServiceSettings.NOT_IN_EFFECT))
                .map(trouble -> trouble.substring(ServiceSettings.NOT_IN_EFFECT.length()))
                .toList();
        String whyNot = whyNotCounted(record);
        if (missing.isEmpty() && !whyNot.isEmpty()) {
            throw new LabException("the run in " + plan.directory() + " does not count: " + whyNot);
        }
        SubscriberRecord service = serviceOf(record, plan);
        LatencyRecord latency = Objects.requireNonNull(service.effects().latency());
        LatencyRecord.Hop hop = latency.dueToBook();
        long naks = service.intake().transport().naksSent();
        return new Sample(
                metric.isShare() ? Math.min(1, naks) : hop.p99Us(),
                new Sample.Cost(use.startMs(), use.cpuMs(), use.memoryBytes(), use.hugePageBytes()),
                List.of(
                        new Figure("50 %, µs", hop.p50Us()),
                        new Figure(P999, hop.p999Us()),
                        new Figure("longest, µs", hop.maxUs()),
                        new Figure("late by 1 ms, events", latency.late().over1Ms()),
                        new Figure(
                                "dropped, datagrams", record.document().counts().datagramsDropped())),
                new Sample.Effect(
                        Stream.concat(
                                        settings.options().stream()
                                                .map(option -> "found in the process of the service: " + option),
                                        arm.observed().stream().map(word -> "instruments: " + word))
                                .toList(),
                        missing),
                Verdict.FAIL.label().equals(record.document().finding().verdict())
                        ? failedConditions(record)
                        : List.of());
    }

    /** Returns why a run does not count; empty: it does. A latency needs a verdict; what the service counts by itself, a run that came to its end. */
    private String whyNotCounted(RunRecord record) {
        if (metric.isShare()) {
            return String.join("; ", record.judged().troubles());
        }
        String verdict = record.document().finding().verdict();
        boolean isJudged =
                Verdict.PASS.label().equals(verdict) || Verdict.FAIL.label().equals(verdict);
        return isJudged ? "" : "the verdict is unknown: " + record.course().reason();
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
            if (!cancellation.isRequested()) {
                throw e;
            }
        }
        if (cancellation.isRequested()) {
            throw new InterruptedException("a signal ended the run in " + plan.directory());
        }
    }

    private static SubscriberRecord serviceOf(RunRecord record, RunPlan plan) {
        return record.reported().subscribers().stream()
                .filter(subscriber -> subscriber.name().equals(ProcessNames.SERVICE))
                .filter(subscriber -> subscriber.effects().latency() != null
                        && subscriber.effects().latency().dueToBook().count() > 0)
                .findFirst()
                .orElseThrow(() -> new LabException("the run in " + plan.directory() + " measured no latency"));
    }

    @Override
    public void close() {
        cancellation.done();
    }
}
