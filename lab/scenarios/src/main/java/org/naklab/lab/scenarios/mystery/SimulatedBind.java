package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.StallFault;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.replica.service.ServiceFaults;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;

/** Parks the first yield for the length of the stall. No symbol is bound, so this runs on any operating system. */
final class SimulatedBind implements FidelityStrategy {
    @Override
    public Fidelity fidelity() {
        return Fidelity.SIMULATED;
    }

    @Override
    public Optional<String> refusal(RemedyStrategy remedy) {
        return remedy.isBoundEarly()
                ? Optional.of("remedy " + remedy.remedy()
                        + " changes when a symbol is bound, but fidelity simulated binds none; use fidelity audited")
                : Optional.empty();
    }

    @Override
    public Deployment deploy(RunPlan plan, PreparationListener listener) {
        return Deployment.standard(plan).with(Deployment.SERVICE, service -> MysteryRemedies.of(plan.remedy())
                .applyTo(MysteryFaults.inject(plan, List.of(parking(plan)), service)));
    }

    private static FaultSpec parking(RunPlan plan) {
        long stallMs = TimeUnit.NANOSECONDS.toMillis(MysteryFaults.stallNs(plan));
        return MysteryFaults.beforeTheBoundary(
                plan,
                FaultSpec.of(
                        MysteryFaults.PARKING,
                        Deployment.SERVICE,
                        new StallFault.Parameters(ServiceFaults.BEFORE_YIELD, stallMs, 1)));
    }

    @Override
    public void prove(MysteryProof proof, RemedyStrategy remedy) {
        proof.requireParking();
    }

    @Override
    public Optional<String> note() {
        return Optional.of("SIMULATED: the yield parked; no symbol was bound late");
    }
}
