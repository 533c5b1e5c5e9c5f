package org.naklab.lab.scenarios.mystery;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.kind.PageEvictionFault;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.pace.EvictionProbe;
import org.naklab.lab.containers.pace.OwnLibraries;
import org.naklab.lab.containers.pace.ReadCalibration;
import org.naklab.lab.containers.pace.ReadGroup;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.containers.pace.SlowReadsEnvironment;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.Units;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;

/** Evicts the pages of the symbol tables on demand and throttles reads so far that the bind takes as long as requested. */
final class EvictedPages implements ContainedStrategy {
    /** Late enough that nobody else needs the pages until the boundary. */
    private static final int EVICTED_AT_PHASE_MS = 900;
    /** A bind waits for whole reads, of which there are few. */
    private static final double TOLERANCE = 0.3;

    /** By length of the stall, ns: the machine is calibrated once for all runs of a command. */
    private final Map<Long, ReadThrottle> calibrated = new ConcurrentHashMap<>();

    @Override
    public Fidelity fidelity() {
        return Fidelity.EVICTED;
    }

    @Override
    public Optional<String> hostObstacle(Path directory) {
        return ReadGroup.obstacle(directory);
    }

    @Override
    public Deployment deployHere(RunPlan plan, PreparationListener listener) {
        Path directory = plan.directory();
        ReadThrottle reads = calibrated.computeIfAbsent(
                MysteryFaults.stallNs(plan),
                stallNs -> ReadCalibration.onHost(directory, listener).calibrate(stallNs));
        ReadGroup group = new ReadGroup(ContainedStrategy.groupName(plan), directory, reads.readsPerSecond());
        OwnLibraries libraries = OwnLibraries.copyTo(directory.resolve("libraries"));
        Deployment deployment = Deployment.standard(plan).with(Deployment.SERVICE, service -> {
            ProcessSpec<ServiceConfig> slow = slow(plan, reads, libraries, service);
            return slow.withConfig(slow.config().inControlGroups(List.of(group.directory())));
        });
        return new Deployment(deployment.exchange(), deployment.subscribers(), group);
    }

    @Override
    public ReadThrottle reads(RunPlan plan, String device, PreparationListener listener) {
        return calibrated.computeIfAbsent(
                MysteryFaults.stallNs(plan),
                stallNs -> ReadCalibration.inContainers(device, listener).calibrate(stallNs));
    }

    @Override
    public ProcessSpec<ServiceConfig> delayed(
            RunPlan plan, ReadThrottle reads, String directory, ProcessSpec<ServiceConfig> service) {
        FaultSpec eviction =
                FaultSpec.of(MysteryFaults.EVICTION, Deployment.SERVICE, new PageEvictionFault.Parameters());
        return MysteryFaults.inject(
                plan,
                List.of(
                        MysteryFaults.lateBinding(plan, 0),
                        spentReads(plan, reads, directory, EvictionProbe.READERS),
                        MysteryFaults.at(plan, EVICTED_AT_PHASE_MS, eviction)),
                service);
    }

    @Override
    public DeploymentEnvironment throttled(
            RunPlan plan, ContainerEnvironment site, String container, String device, long readsPerSecond) {
        return new SlowReadsEnvironment(site, container, device, readsPerSecond);
    }

    @Override
    public int feedMtuBytes(int planned) {
        return planned;
    }

    /** The disk's limit makes the length: a stall for pages that is as long as no bind was in the calibration says nothing about the service. */
    @Override
    public Expectation length(Stall stall, BufferSizing wanted) {
        Expectation length = ContainedStrategy.super.length(stall, wanted);
        boolean isOfLimit = stall.cause().equals(Cause.LATE_BINDING_MAJOR_FAULT.label());
        return isOfLimit ? length.inDoubt() : length;
    }

    @Override
    public double toleranceMs(long stallNs) {
        return stallNs / Units.NS_PER_MS * TOLERANCE;
    }
}
