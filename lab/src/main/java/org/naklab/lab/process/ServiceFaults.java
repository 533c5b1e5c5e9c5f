package org.naklab.lab.process;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;
import org.naklab.faults.seam.Checkpoint;
import org.naklab.faults.seam.WakeUpLocks;
import org.naklab.faults.seam.Yielder;
import org.naklab.messaging.MessagingContext;

/** Composes the faults of a plan with the seams of one service. Not thread-safe: the process's main thread owns it. */
public final class ServiceFaults implements AutoCloseable {
    /** The {@link Yielder} that the context thread yields by. */
    public static final String CONTEXT_YIELDER = "context";
    /** The {@link Checkpoint} that the context thread passes before it yields. */
    public static final String BEFORE_YIELD = "context-yield";
    /** The {@link WakeUpLocks} of the snapshots' rate limiter. */
    public static final String SNAPSHOT_LOCKS = "snapshots";
    /** Triggered when the first event has come in. */
    public static final String FLOW_TRIGGER = "flow";

    private final Yielder yielder = new Yielder();
    private final Checkpoint beforeYield = new Checkpoint();
    private final WakeUpLocks locks = new WakeUpLocks();
    private final FaultController controller;
    private final FaultRunner runner;
    private final Set<String> everArmed = new HashSet<>();
    private boolean flowSeen;

    private ServiceFaults(FaultSite site, FaultPlan plan) {
        site.offer(CONTEXT_YIELDER, yielder);
        site.offer(BEFORE_YIELD, beforeYield);
        site.offer(SNAPSHOT_LOCKS, locks);
        controller = new FaultController(site);
        controller.load(plan);
        controller.start();
        runner = FaultRunner.launch(controller);
    }

    /**
     * Takes the plan in and begins its time.
     *
     * @throws org.naklab.faults.FaultException when one of its faults cannot be had here
     */
    static ServiceFaults launch(String process, FaultPlan plan) {
        return new ServiceFaults(new FaultSite(process), plan);
    }

    /** Puts the seams into a context that has not been launched. */
    void install(MessagingContext.Context context, ContextWatch watch) {
        watch.inform(locks);
        context.wakeUpLockSupplier(locks).yieldStrategy(() -> {
            beforeYield.pass();
            yielder.yieldOnce();
        });
    }

    /** Called often: notes which faults are armed, and tells the plan when the flow has begun. */
    void poll(long eventsReceived) {
        if (eventsReceived > 0 && !flowSeen) {
            flowSeen = true;
            controller.trigger(FLOW_TRIGGER);
        }
        controller.proofs().keySet().stream().filter(controller::isArmed).forEach(everArmed::add);
    }

    /** By the faults' ids. */
    Map<String, FaultReport> reports() {
        Map<String, FaultReport> reports = new LinkedHashMap<>();
        controller.proofs().forEach((id, proof) -> reports.put(id, new FaultReport(everArmed.contains(id), proof)));
        return reports;
    }

    /** Disarms everything; proofs can still be read. */
    @Override
    public void close() {
        runner.close();
    }
}
