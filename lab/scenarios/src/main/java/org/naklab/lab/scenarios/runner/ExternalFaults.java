package org.naklab.lab.scenarios.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.FaultState;
import org.naklab.faults.TargetProcess;
import org.naklab.lab.containers.ArmedInContainer;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.ContainerFaultKinds;
import org.naklab.lab.core.LabException;
import org.naklab.lab.process.ChildProcess;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Deployment;

/** The faults that strike a run's processes or their containers from outside, or the whole machine: run by the lab itself. Any thread. */
final class ExternalFaults implements AutoCloseable {

    private final FaultPlan plan;
    private final Map<FaultSpec, Fault> ofContainers = new LinkedHashMap<>();
    private volatile @Nullable ProcessFaults faults;

    ExternalFaults(FaultPlan plan) {
        this.plan = plan;
    }

    /** Launches the faults of the plan; called when the processes are up. */
    void launch(ProcessGroup group) {
        if (!plan.faults().isEmpty()) {
            ProcessFaults unused = launched(group);
        }
    }

    /** Adds a fault, whose time begins now. */
    synchronized void add(FaultSpec spec, ProcessGroup group) {
        ProcessFaults launched = launched(group);
        Optional<ContainerFaultKind> kind = ContainerFaultKinds.find(spec.kind());
        if (kind.isPresent()) {
            Fault fault = inContainer(kind.get(), spec, group);
            launched.add(spec, fault);
            ofContainers.put(spec, fault);
        } else if (!launched.add(spec)) {
            throw new LabException(spec.kind() + " is on " + spec.on() + ", which is no process of this run");
        }
    }

    FaultState state(String id) {
        return required().state(id);
    }

    void disarm(String id) {
        required().disarm(id);
    }

    private ProcessFaults required() {
        ProcessFaults launched = faults;
        if (launched == null) {
            throw new LabException("the lab injects no faults in this run");
        }
        return launched;
    }

    private synchronized ProcessFaults launched(ProcessGroup group) {
        ProcessFaults launched = faults;
        if (launched == null) {
            FaultSite site = new FaultSite(AddedFaults.LAB);
            group.all().stream()
                    .filter(ChildProcess::isAlive)
                    .forEach(child -> site.offer(child.name(), TargetProcess.of(child.pid())));
            List<FaultSpec> ofProcesses = new ArrayList<>();
            for (FaultSpec spec : plan.faults()) {
                Optional<ContainerFaultKind> kind = ContainerFaultKinds.find(spec.kind());
                if (kind.isPresent()) {
                    ofContainers.put(spec, inContainer(kind.get(), spec, group));
                } else {
                    ofProcesses.add(spec);
                }
            }
            launched = ProcessFaults.launch(site, new FaultPlan(plan.seed(), ofProcesses), ofContainers);
            faults = launched;
        }
        return launched;
    }

    private static Fault inContainer(ContainerFaultKind kind, FaultSpec spec, ProcessGroup group) {
        ContainerSpec container = group.child(spec.on()).container();
        if (container == null) {
            throw new LabException(spec.kind() + " is a fault of a container, and " + spec.on() + " is in none");
        }
        return new ArmedInContainer(
                kind,
                new FaultSpec(spec.id(), spec.kind(), container.name(), spec.when(), spec.forMs(), spec.parameters()));
    }

    /** Ends the faults of containers while these still exist: their proof would be lost with them. */
    synchronized void onFlowEnded() {
        ProcessFaults launched = faults;
        if (launched != null) {
            ofContainers.keySet().forEach(spec -> launched.disarm(spec.id()));
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

    Map<String, FaultRecord> reports() {
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
