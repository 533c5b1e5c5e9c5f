package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.datagram.DatagramLossFault;
import org.naklab.faults.datagram.DatagramSeam;
import org.naklab.faults.datagram.Direction;
import org.naklab.faults.datagram.Selection;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.mystery.MysteryFaults;

/**
 * Two causes at once: the stall of the mystery at the service, and datagrams that are lost on the way to the gateway. In the incident,
 * the drops of one application hid those of another one; here each cause must be named, at its receiver.
 */
@AutoService(Scenario.class)
public final class Masked implements Scenario {
    /** The claims about the second cause, in addition to those of the mystery. */
    public enum Claims implements Claim {
        LOSS_FIRED("fault: datagrams were lost on the way to %s"),
        GATEWAY_ASKED_AGAIN("%s asked for the lost datagrams again"),
        STALL_NAMED("diagnosis names the late bind at %s"),
        LOSS_NAMED("diagnosis names the loss at %s");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** The id of the fault at the gateway. */
    public static final String LOSS = "datagram-loss";

    private static final List<Fidelity> FIDELITIES = List.of(Fidelity.AUDITED, Fidelity.SIMULATED);

    private final Mystery mystery = new Mystery();

    @Override
    public String name() {
        return "masked";
    }

    @Override
    public String summary() {
        return "Two causes at once: a late bind stalls the service, and a gateway loses datagrams on the way";
    }

    @Override
    public Workload workload() {
        return mystery.workload();
    }

    @Override
    public List<Fidelity> fidelities() {
        return FIDELITIES;
    }

    /** Those of the mystery without containers, and the loss. */
    @Override
    public Set<String> faultKinds() {
        return Set.of(MysteryFaults.YIELD, MysteryFaults.BINDING, MysteryFaults.PARKING, LOSS);
    }

    @Override
    public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
        return FIDELITIES.contains(fidelity)
                ? mystery.refusal(fidelity, remedy)
                : Optional.of("two causes at once need a fidelity without containers: "
                        + FIDELITIES.stream().map(Fidelity::label).collect(Collectors.joining(" or ")));
    }

    @Override
    public Optional<String> compositionRefusal(RunPlan plan) {
        return mystery.compositionRefusal(plan);
    }

    @Override
    public long warmUpNs(RunPlan plan) {
        return mystery.warmUpNs(plan);
    }

    @Override
    public long stallNs() {
        return mystery.stallNs();
    }

    @Override
    public RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        return mystery.prepare(plan, stallNs, isRateGiven);
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return deploy(plan, PreparationListener.NONE);
    }

    @Override
    public Deployment deploy(RunPlan plan, PreparationListener listener) {
        FaultSpec loss = FaultSpec.of(
                        LOSS,
                        Deployment.GATEWAY,
                        new DatagramLossFault.Parameters(
                                DatagramSeam.NAME, Selection.exact(Direction.INBOUND, NetworkLoss.places())))
                .withWhen(new When(ProcessFaults.FLOW_TRIGGER, CauseScenario.WARM_UP_MS, CauseScenario.PHASE_MS));
        return mystery.deploy(plan, listener)
                .with(
                        Deployment.GATEWAY,
                        gateway ->
                                gateway.withConfig(gateway.config().with(new FaultPlan(plan.seed(), List.of(loss)))));
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>(mystery.check(outcome, Set.of(Deployment.GATEWAY)));
        if (NoLossChecks.isFinished(outcome)) {
            boolean isProven = conditions.stream().noneMatch(condition -> condition.verdict() == Verdict.UNKNOWN);
            Expectation fired = fired(outcome);
            conditions.add(fired);
            boolean isPlain = isProven && fired.verdict() == Verdict.PASS && !isSpoiled(outcome);
            for (Expectation effect : List.of(
                    askedAgain(outcome.subscriber(Deployment.GATEWAY)),
                    named(outcome, Claims.STALL_NAMED, lateBind(outcome.plan()), Deployment.SERVICE),
                    named(outcome, Claims.LOSS_NAMED, Cause.NETWORK_LOSS, Deployment.GATEWAY))) {
                conditions.add(isPlain ? effect : effect.inDoubt());
            }
        }
        return conditions;
    }

    private static Cause lateBind(RunPlan plan) {
        return plan.fidelity() == Fidelity.SIMULATED ? Cause.LATE_BINDING_SIMULATED : Cause.LATE_BINDING_DELAY;
    }

    private static Expectation fired(RunOutcome outcome) {
        FaultRecord report = outcome.faults().get(LOSS);
        return Expectation.proven(
                Claims.LOSS_FIRED,
                Deployment.GATEWAY,
                report != null && report.proof().fired(),
                report == null ? "no proof" : report.proof().explanation());
    }

    private static Expectation askedAgain(@Nullable ServiceReport gateway) {
        return gateway == null
                ? Expectation.unknown(Claims.GATEWAY_ASKED_AGAIN, Deployment.GATEWAY, NoLossChecks.NO_FINAL_REPORT)
                : Expectation.of(
                        Claims.GATEWAY_ASKED_AGAIN,
                        Deployment.GATEWAY,
                        gateway.intake().transport().naksSent() > 0,
                        Format.count(gateway.intake().transport().naksSent()) + " NAKs");
    }

    /** Each cause counts at its own receiver only. */
    private static Expectation named(RunOutcome outcome, Claims claim, Cause cause, String process) {
        boolean isNamed = outcome.diagnosis().isNamedAt(cause, process);
        String figures = outcome.diagnosis().causes().stream()
                .map(named -> named.cause() + " at " + named.process())
                .collect(Collectors.joining(", "));
        return outcome.observation()
                .onDiagnosis(Expectation.of(claim, process, isNamed, figures.isEmpty() ? "nothing" : figures));
    }
}
