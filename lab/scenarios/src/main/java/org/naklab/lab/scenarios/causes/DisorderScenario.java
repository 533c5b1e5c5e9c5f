package org.naklab.lab.scenarios.causes;

import java.util.concurrent.TimeUnit;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;

/**
 * A cause that changes the order of datagrams or repeats them. It makes no receiver stall and costs no datagram, so that any stall of a busy machine
 * comes before it in a diagnosis.
 */
interface DisorderScenario extends CauseScenario {
    @Override
    default long overflowingNs(RunPlan plan) {
        return TimeUnit.MILLISECONDS.toNanos(RARE_STALL_MS);
    }

    /** Returns whether the disorder is named at the service, whatever else is. */
    @Override
    default boolean isNamedBy(Diagnosis diagnosis) {
        return diagnosis.isNamedAt(injected(), Deployment.SERVICE);
    }
}
