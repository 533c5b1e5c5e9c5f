package org.naklab.lab.scenarios.runner;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.replica.process.FaultReport;
import org.naklab.lab.replica.process.ProcessFaults;

/** The faults that strike a run's processes from outside, or the whole machine: run by the lab itself. One thread. */
final class ExternalFaults implements AutoCloseable {
    /** The name of the lab in fault plans. */
    private static final String SITE = "lab";

    private final FaultPlan plan;
    private @Nullable ProcessFaults faults;

    ExternalFaults(FaultPlan plan) {
        this.plan = plan;
    }

    /** Launches the faults; called when the processes are up. */
    void launch(ProcessGroup group) {
        if (!plan.faults().isEmpty()) {
            FaultSite site = new FaultSite(SITE);
            group.all().forEach(child -> site.offer(child.name(), TargetProcess.of(child.pid())));
            faults = ProcessFaults.launch(site, plan);
        }
    }

    void onFlowStarted() {
        if (faults != null) {
            faults.poll(true);
        }
    }

    Map<String, FaultReport> reports() {
        return faults == null ? Map.of() : faults.reports();
    }

    @Override
    public void close() {
        if (faults != null) {
            faults.close();
        }
    }
}
