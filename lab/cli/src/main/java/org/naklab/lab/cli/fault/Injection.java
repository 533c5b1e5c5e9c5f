package org.naklab.lab.cli.fault;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.description.PlanUnit;
import org.naklab.lab.core.Cancellation;

/**
 * One fault from outside, from the command to its proof.
 *
 * @param target for people
 */
record Injection(FaultSpec spec, String target, FaultController controller) {
    /** The period at which a cancellation is looked for. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Waits until the fault is over or cancelled, undoes it, and returns its proof. */
    FaultProof await(Cancellation cancellation, PrintStream progress) {
        controller.start();
        long endNs = Long.MAX_VALUE;
        for (long waitNs = controller.poll();
                waitNs != Long.MAX_VALUE && !cancellation.isRequested();
                waitNs = controller.poll()) {
            long nowNs = System.nanoTime();
            if (endNs == Long.MAX_VALUE && controller.isArmed(spec.id())) {
                endNs = nowNs + TimeUnit.MILLISECONDS.toNanos(spec.forMs());
                progress.println(spec.kind() + " on " + target + " for " + PlanUnit.MILLISECONDS.text(spec.forMs())
                        + "; Ctrl-C undoes it");
            }
            if (endNs != Long.MAX_VALUE && nowNs - endNs >= 0) {
                break;
            }
            LockSupport.parkNanos(Math.max(1, Math.min(waitNs, LOOK_NS)));
        }
        return controller.disarm(spec.id());
    }
}
