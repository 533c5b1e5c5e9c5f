package org.naklab.lab.scenarios.experiment;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.diagnosis.NamedCause;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.causes.CauseScenario;
import org.naklab.lab.scenarios.causes.CpuPreemption;
import org.naklab.lab.scenarios.causes.GcOrSafepoint;
import org.naklab.lab.scenarios.causes.Masked;
import org.naklab.lab.scenarios.causes.NetworkDelay;
import org.naklab.lab.scenarios.causes.NetworkDuplication;
import org.naklab.lab.scenarios.causes.NetworkLoss;
import org.naklab.lab.scenarios.causes.NetworkReordering;
import org.naklab.lab.scenarios.causes.ProcessPaused;
import org.naklab.lab.scenarios.causes.SlowCallback;

/**
 * Two causes in one run: each at a receiver of its own at the same time, or one after the other at the same receiver.
 *
 * @param scenario the healthy service to which the faults are added, or a scenario that makes both by itself
 * @param faults those that are added; their times count from the end of the warm-up
 */
public record CausePair(Part first, Part second, Scenario scenario, Fidelity fidelity, List<FaultSpec> faults) {
    /** Time between two causes at the same receiver, ms: long enough that the first is over and repaired. */
    private static final long LATER_MS = 3_000;

    /** The second causes of the default set begin away from the snapshots, as those of the scenarios do. */
    private static final int PHASE_MS = 400;

    public CausePair {
        faults = List.copyOf(faults);
    }

    /** A cause and the receiver that it befalls. */
    public record Part(Cause cause, String process) {
        /** Returns the place of this cause among those that a diagnosis names, from 1; 0 if it is not named. */
        public int placeIn(Diagnosis diagnosis) {
            List<NamedCause> causes = diagnosis.causes();
            Predicate<NamedCause> isThis = named -> named.cause() == cause
                    && named.process().equals(process)
                    && named.confidence() != Confidence.CANNOT_TELL;
            return IntStream.range(0, causes.size())
                            .filter(place -> isThis.test(causes.get(place)))
                            .findFirst()
                            .orElse(-1)
                    + 1;
        }

        @Override
        public String toString() {
            return cause + " at " + process;
        }
    }

    /**
     * Returns the default set: pairs of stalls and losses in which one may hide the other. At the gateway are only causes that change what
     * arrives: the diagnosis names no stall of the control group that cost it nothing.
     */
    public static List<CausePair> defaults() {
        return List.of(
                new CausePair(
                        new Part(Cause.LATE_BINDING_DELAY, Deployment.SERVICE),
                        new Part(Cause.NETWORK_LOSS, Deployment.GATEWAY),
                        new Masked(),
                        Fidelity.AUDITED,
                        List.of()),
                apart(new SlowCallback(), new NetworkLoss()),
                apart(new CpuPreemption(), new NetworkDelay()),
                apart(new GcOrSafepoint(), new NetworkReordering()),
                apart(new NetworkDuplication(), new NetworkLoss()),
                together(new SlowCallback(), new GcOrSafepoint()),
                together(new ProcessPaused(), new NetworkLoss()),
                together(new GcOrSafepoint(), new ProcessPaused()));
    }

    /** Makes a pair of one cause at the service and one at the gateway, at the same time. */
    static CausePair apart(CauseScenario atService, CauseScenario atGateway) {
        return of(atService, atGateway, Deployment.GATEWAY, 0);
    }

    /** Makes a pair of causes at the service, one after the other. */
    static CausePair together(CauseScenario first, CauseScenario second) {
        return of(first, second, Deployment.SERVICE, LATER_MS);
    }

    private static CausePair of(CauseScenario first, CauseScenario second, String process, long laterMs) {
        return new CausePair(
                new Part(first.injected(), Deployment.SERVICE),
                new Part(second.injected(), process),
                new Baseline(),
                Fidelity.NONE,
                List.of(fault("first", first, Deployment.SERVICE, 0), fault("second", second, process, laterMs)));
    }

    private static FaultSpec fault(String which, CauseScenario scenario, String process, long afterMs) {
        FaultSpec usual = scenario.fault(RunPlan.draft(scenario));
        return new FaultSpec(
                which + "-" + usual.kind(),
                usual.kind(),
                process,
                new When(null, afterMs, PHASE_MS),
                usual.forMs(),
                usual.parameters());
    }

    /** Returns why the pair cannot be made on this machine; empty if it can. */
    public Optional<String> refusal() {
        return scenario.refusal(fidelity, Remedy.NONE).or(scenario::obstacle);
    }

    /** Returns true if the second cause comes after the first, at the same receiver. */
    public boolean isOneAfterTheOther() {
        return first.process().equals(second.process());
    }

    @Override
    public String toString() {
        return first + (isOneAfterTheOther() ? ", then " : " + ") + second;
    }
}
