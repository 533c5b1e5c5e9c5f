package org.naklab.lab.replica.process;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.naklab.faults.FaultController;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultRunner;
import org.naklab.faults.FaultSite;

/**
 * The faults of one site, from the plan's beginning to their reports. Not thread-safe: one thread owns it, and the runner's own
 * arms and disarms.
 */
public final class ProcessFaults implements AutoCloseable {
    /** Triggered when the order flow has begun. */
    public static final String FLOW_TRIGGER = "flow";

    private final FaultController controller;
    private final FaultRunner runner;
    private final Set<String> everArmed = new HashSet<>();
    private boolean flowSeen;

    private ProcessFaults(FaultSite site, FaultPlan plan) {
        controller = new FaultController(site);
        controller.load(plan);
        controller.start();
        runner = FaultRunner.launch(controller);
    }

    /**
     * Takes the plan in and begins its time; the site's seams must have been offered.
     *
     * @throws org.naklab.faults.FaultException when one of its faults cannot be had here
     */
    public static ProcessFaults launch(FaultSite site, FaultPlan plan) {
        return new ProcessFaults(site, plan);
    }

    /** Records which faults are armed, and informs the plan when the flow has begun; called often. */
    public void poll(boolean isFlowing) {
        if (isFlowing && !flowSeen) {
            flowSeen = true;
            controller.trigger(FLOW_TRIGGER);
        }
        controller.proofs().keySet().stream().filter(controller::isArmed).forEach(everArmed::add);
    }

    /** Returns the reports by the ids of the faults. */
    public Map<String, FaultReport> reports() {
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
