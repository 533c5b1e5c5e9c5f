package org.naklab.lab.scenarios.causes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.SocketBufferCalibration;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.messaging.TransportProfile;

/**
 * One fault that makes one cause, and the prediction that the diagnosis names it, whatever else the machine does. Nothing that the
 * fault loses is lost for good.
 */
public interface CauseScenario extends Scenario {
    /** The claims about a scenario with one cause in addition to {@link NoLossChecks}. */
    enum Claims implements Claim {
        FAULT_FIRED("fault: %s"),
        CAUSE_NAMED("diagnosis is the injected cause");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** The value of {@link FaultSpec#on()} if the lab itself injects the fault. */
    String LAB = "lab";

    /** Long enough to overflow the receive buffer. */
    long STALL_MS = 150;

    /** For a cause that does not stall the receiver: a buffer that a stall of this length fills twice is not filled by those of a busy machine, ms. */
    long RARE_STALL_MS = 600;

    long WARM_UP_MS = 2_000;
    /** Away from the snapshots, so that they are no suspects. */
    int PHASE_MS = 400;

    /** The cause that is injected. */
    Cause injected();

    /** A standstill of that length overflows the receive buffer twice, ns. */
    default long overflowingNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(STALL_MS);
    }

    /** Returns the fault to inject, without its trigger. */
    FaultSpec fault(RunPlan plan);

    /** Returns true if the lab injects the fault, into a process or the whole machine. */
    default boolean isFromOutside() {
        return false;
    }

    /** Returns whether a diagnosis names the cause, with nothing before it but what the machine did. */
    default boolean isNamedBy(Diagnosis diagnosis) {
        return diagnosis.isNamed(injected());
    }

    /** Returns what receivers must have seen of the fault, beside the diagnosis; of a finished run. */
    default List<Expectation> effects(RunOutcome outcome) {
        return List.of();
    }

    @Override
    default String name() {
        return injected().label();
    }

    @Override
    default Map<Cause, Fidelity> causes() {
        return Map.of(injected(), Fidelity.NONE);
    }

    @Override
    default Set<String> faultKinds() {
        return Set.of(fault(RunPlan.draft(this)).kind());
    }

    @Override
    default Optional<String> obstacle() {
        FaultSpec fault = fault(RunPlan.draft(this));
        return FaultKinds.onClassPath().named(fault.kind()).obstacle(fault);
    }

    @Override
    default Workload workload() {
        return new Workload(
                null,
                8,
                ArrivalPattern.CONSTANT,
                BufferSizing.PREFERRED_EVENTS_PER_SECOND,
                0,
                TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS),
                null,
                TimeUnit.SECONDS.toNanos(6));
    }

    @Override
    default long warmUpNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS);
    }

    @Override
    default RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        long rate = plan.workload().eventsPerSecond();
        if (rate == 0) {
            return plan;
        }
        SocketBufferCalibration kernel =
                SocketBufferCalibration.measure(Mystery.FEED_MTU_BYTES, TransportProfile.LBTRM.receiveBufferBytes());
        BufferSizing sizing = BufferSizing.choose(overflowingNs(plan), rate, kernel, false);
        return plan.with(new RunPlan.Traffic(plan.workload(), plan.traffic().rateLimiting(), sizing));
    }

    @Override
    default Deployment deploy(RunPlan plan) {
        Deployment standard = Deployment.standard(plan);
        if (isFromOutside()) {
            return standard;
        }
        FaultPlan faults = new FaultPlan(plan.seed(), List.of(scheduled(plan)));
        return fault(plan).on().equals(Deployment.EXCHANGE)
                ? standard.withExchange(spec -> spec.withConfig(spec.config().with(faults)))
                : standard.with(
                        Deployment.SERVICE,
                        spec -> spec.withConfig(spec.config().with(faults)));
    }

    @Override
    default FaultPlan outsideFaults(RunPlan plan) {
        return new FaultPlan(plan.seed(), isFromOutside() ? List.of(scheduled(plan)) : List.of());
    }

    /** Returns how long the fault prepares itself before it strikes, ms; it is armed that much earlier. At most the warm-up. */
    default int leadMs() {
        return 0;
    }

    private FaultSpec scheduled(RunPlan plan) {
        int phaseMs = (int) Math.floorMod(PHASE_MS - leadMs(), TimeUnit.SECONDS.toMillis(1));
        return fault(plan).withWhen(new When(ProcessFaults.FLOW_TRIGGER, WARM_UP_MS - leadMs(), phaseMs));
    }

    @Override
    default List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>();
        if (NoLossChecks.isFinished(outcome)) {
            Expectation fired = fired(outcome);
            conditions.add(fired);
            Expectation named = Expectation.of(
                    Claims.CAUSE_NAMED,
                    isNamedBy(outcome.diagnosis()),
                    outcome.diagnosis().cause() + ", "
                            + outcome.diagnosis().confidence().label());
            boolean isPlain = fired.verdict() == Verdict.PASS && !isSpoiled(outcome);
            conditions.add(isPlain ? outcome.observation().onDiagnosis(named) : named.inDoubt());
            effects(outcome).stream()
                    .map(effect -> isPlain ? effect : effect.inDoubt())
                    .forEach(conditions::add);
        }
        conditions.addAll(NoLossChecks.check(outcome, victims()));
        return conditions;
    }

    /** Returns false if the fault itself stalls the machine. */
    @Override
    default boolean isSpoiled(RunOutcome outcome) {
        return injected() != Cause.MACHINE_STALLED && Scenario.super.isSpoiled(outcome);
    }

    private Expectation fired(RunOutcome outcome) {
        FaultRecord report = outcome.faults().get(fault(outcome.plan()).id());
        boolean isFired = report != null && report.proof().fired();
        return Expectation.proven(
                Claims.FAULT_FIRED,
                name(),
                isFired,
                report == null ? "no proof" : report.proof().explanation());
    }
}
