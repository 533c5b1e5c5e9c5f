package org.naklab.lab.scenarios.runner;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.replica.process.FaultReport;
import org.naklab.lab.replica.process.ProcessEvent;
import org.naklab.lab.replica.process.ProcessFaults;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Deployment;

/** The faults that strike a run's processes from outside, or the whole machine: run by the lab itself. One thread. */
final class ExternalFaults implements AutoCloseable {

    private final FaultPlan plan;
    private volatile @Nullable ProcessFaults faults;

    ExternalFaults(FaultPlan plan) {
        this.plan = plan;
    }

    /** Launches the faults; called when the processes are up. */
    void launch(ProcessGroup group) {
        if (!plan.faults().isEmpty()) {
            FaultSite site = new FaultSite(AddedFaults.LAB);
            group.all().forEach(child -> site.offer(child.name(), TargetProcess.of(child.pid())));
            faults = ProcessFaults.launch(site, plan);
        }
    }

    void onFlowStarted() {
        ProcessFaults launched = faults;
        if (launched != null) {
            launched.poll(true);
        }
    }

    /** Arms the faults that wait for an event of the service; safe for any thread. */
    void onEvent(String process, ProcessEvent event) {
        ProcessFaults launched = faults;
        if (launched != null && process.equals(Deployment.SERVICE)) {
            launched.onEvent(event);
        }
    }

    Map<String, FaultReport> reports() {
        ProcessFaults launched = faults;
        return launched == null ? Map.of() : launched.reports();
    }

    @Override
    public void close() {
        ProcessFaults launched = faults;
        if (launched != null) {
            launched.close();
        }
    }
}
