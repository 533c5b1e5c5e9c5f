package org.naklab.faults.guard;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;
import org.naklab.faults.TargetProcess;

/** Child process: arms faults against another process and in itself, and waits for its end. */
final class DoomedLab {
    private DoomedLab() {}

    /**
     * Arguments: the victim's process id, a file to promise to delete, the plan, how to end (wait, exit, or halt while a machine stall
     * lasts); none: undo what another has left, and tell.
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            Leftovers.Outcome outcome = Leftovers.undo();
            System.out.println(
                    outcome.undone().size() + " undone, " + outcome.left().size() + " left");
            return;
        }
        FaultSite site = new FaultSite("lab");
        site.offer("victim", TargetProcess.of(Long.parseLong(arguments[0])));
        site.offer("contended", TargetProcess.of(Long.parseLong(arguments[0])));
        site.guard().toDelete(Path.of(arguments[1]));
        FaultController controller = new FaultController(site);
        controller.load(FaultPlan.fromJson(arguments[2]));
        FaultRunner.launch(controller);
        controller.start();
        boolean halts = arguments[3].equals("halt");
        while (!(halts && isStalling())
                && !controller.proofs().values().stream().allMatch(proof -> proof.fired())) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        System.out.println("armed");
        if (halts) {
            Runtime.getRuntime().halt(9);
        }
        if (arguments[3].equals("exit")) {
            System.exit(3);
        }
        LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
    }

    private static boolean isStalling() {
        return ProcessHandle.current()
                .children()
                .anyMatch(child -> child.info().commandLine().orElse("").contains("chrt"));
    }
}
