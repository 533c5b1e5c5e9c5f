package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.CpuContentionFault;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.core.Units;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.messaging.MessagingContext;

/**
 * Another process takes the receipt thread's core, with a priority that leaves it nothing. With {@link Remedy#ISOLATE} the core belongs to the receipt thread,
 * and the process runs elsewhere.
 */
@AutoService(Scenario.class)
public final class CpuPreemption implements CauseScenario {
    /** The claims of a run whose receipt thread has a CPU of its own, in addition to {@link NoLossChecks}. */
    public enum Claims implements Claim {
        OTHER_RAN("fault: the busy process ran"),
        KEPT_ITS_CORE("the receipt thread did not wait for its core"),
        DROPPED_NOTHING("socket of the service dropped nothing");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private static final String THREAD = MessagingContext.threadName(Deployment.SERVICE);
    private static final int MIN_RUN_DELAY_MS = 50;

    @Override
    public Cause injected() {
        return Cause.CPU_PREEMPTION;
    }

    @Override
    public String summary() {
        return "A real-time process occupies the context thread's core";
    }

    @Override
    public FaultSpec fault(RunPlan plan) {
        return FaultSpec.of(
                        "cpu-contention",
                        Deployment.SERVICE,
                        new CpuContentionFault.Parameters(THREAD, 1, true, MIN_RUN_DELAY_MS))
                .withForMs(STALL_MS);
    }

    @Override
    public boolean isFromOutside() {
        return true;
    }

    @Override
    public Map<Remedy, String> prices() {
        return Remedy.withNone(
                Remedy.ISOLATE,
                "a CPU that nothing else uses, idle or not; all others share what is left, and wait for it longer");
    }

    @Override
    public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
        return remedy.equals(Remedy.ISOLATE) && ThreadAffinity.allowed().size() < 2
                ? Optional.of("isolate needs a second CPU, for everything else")
                : Optional.empty();
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return isIsolated(plan)
                ? Optional.of("isolate binds threads of this machine: omit --attach")
                : Optional.empty();
    }

    private static boolean isIsolated(RunPlan plan) {
        return plan.remedy().equals(Remedy.ISOLATE);
    }

    /** Interrupts are handled by the first CPU, unless set otherwise. */
    private static int ownCpu(RunPlan plan) {
        List<Integer> allowed = ThreadAffinity.allowed();
        return plan.placement().pins().getOrDefault(THREAD, allowed.get(allowed.size() - 1));
    }

    @Override
    public RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        RunPlan prepared = CauseScenario.super.prepare(plan, stallNs, isRateGiven);
        return isIsolated(plan) ? prepared.pinned(Map.of(THREAD, ownCpu(plan))) : prepared;
    }

    /** A JVM that sees one CPU less would choose other settings. */
    @Override
    public Deployment deploy(RunPlan plan) {
        Deployment standard = CauseScenario.super.deploy(plan);
        if (!isIsolated(plan)) {
            return standard;
        }
        List<Integer> allowed = ThreadAffinity.allowed();
        Deployment alike = standard.withJvmArguments("-XX:ActiveProcessorCount=" + allowed.size());
        return new Deployment(alike.exchange(), alike.subscribers(), new IsolatedCpu(ownCpu(plan), allowed));
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        if (!isIsolated(outcome.plan())) {
            return CauseScenario.super.check(outcome);
        }
        List<Expectation> conditions = new ArrayList<>();
        if (NoLossChecks.isFinished(outcome)) {
            FaultRecord report = outcome.faults().get(fault(outcome.plan()).id());
            Expectation ran = otherRan(report);
            conditions.add(ran);
            boolean isPlain = ran.verdict() == Verdict.PASS && !isSpoiled(outcome);
            for (Expectation effect : List.of(keptItsCore(report), droppedNothing(outcome))) {
                conditions.add(isPlain ? effect : effect.inDoubt());
            }
        }
        conditions.addAll(NoLossChecks.check(outcome));
        return conditions;
    }

    private static Expectation otherRan(@Nullable FaultRecord report) {
        long ranNs = report == null ? 0 : report.proof().figure("burntNs");
        return Expectation.proven(
                Claims.OTHER_RAN, ranNs >= TimeUnit.MILLISECONDS.toNanos(MIN_RUN_DELAY_MS), milliseconds(ranNs));
    }

    private static Expectation keptItsCore(@Nullable FaultRecord report) {
        if (report == null) {
            return Expectation.unknown(Claims.KEPT_ITS_CORE, "", "no proof");
        }
        long waitedNs = report.proof().figure("runDelayNs");
        return Expectation.of(Claims.KEPT_ITS_CORE, !report.proof().fired(), milliseconds(waitedNs));
    }

    private static Expectation droppedNothing(RunOutcome outcome) {
        return outcome.onSocketsOf(
                Deployment.SERVICE,
                Expectation.none(Claims.DROPPED_NOTHING, "", outcome.datagramsDropped(Deployment.SERVICE)));
    }

    private static String milliseconds(long ns) {
        return Format.milliseconds(ns / Units.NS_PER_MS);
    }

    @Override
    public List<StoryLine> story(RunOutcome outcome, Verdict verdict) {
        return isIsolated(outcome.plan()) || verdict != Verdict.PASS
                ? List.of()
                : List.of(
                        StoryLine.commands(
                                "next",
                                ShellWord.of(Program.name())
                                        + " run cpu-preemption --remedy isolate   (gives the receipt thread a CPU of its own)"));
    }
}
