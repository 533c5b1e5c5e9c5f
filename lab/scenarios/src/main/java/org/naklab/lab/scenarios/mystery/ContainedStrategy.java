package org.naklab.lab.scenarios.mystery;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.DiskReadsFault;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.Image;
import org.naklab.lab.containers.pace.OwnLibraries;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;

/**
 * Makes the stall where memory is short or reads are slow, so that the bind waits for pages that were evicted: in control groups of this machine, or in containers where that
 * is asked for or no such group can be created.
 */
interface ContainedStrategy extends FidelityStrategy {
    /** The files of the transport are in memory and cannot be reclaimed: what is not touched before the limit comes is out of memory later. */
    String PRE_TOUCH = "-Daeron.pre.touch.mapped.memory=true";

    /** A page that is not on disk cannot be evicted: the journal is put there that often, ns. */
    long JOURNAL_SYNC_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Stalls with these causes were made by the first yield. */
    Set<String> LATE_BINDING = Set.of(
            Cause.LATE_BINDING_MAJOR_FAULT.label(),
            Cause.LATE_BINDING_DELAY.label(),
            Cause.LATE_BINDING_SIMULATED.label());

    /**
     * Returns the reads that the service's container may make.
     *
     * @param device of the engine's volumes
     */
    ReadThrottle reads(RunPlan plan, String device, PreparationListener listener);

    /**
     * Returns the service with the faults that delay its first yield.
     *
     * @param directory on the disk whose reads are slow, as the service sees it
     */
    ProcessSpec<ServiceConfig> delayed(
            RunPlan plan, ReadThrottle reads, String directory, ProcessSpec<ServiceConfig> service);

    /**
     * Returns the environment that throttles the reads of a container while traffic flows.
     *
     * @param container name of the service's container
     */
    DeploymentEnvironment throttled(
            RunPlan plan, ContainerEnvironment site, String container, String device, long readsPerSecond);

    /** Returns what happens to the memory of the service. */
    default MemoryConstraint constraint(RunPlan plan) {
        return new MemoryConstraint(0, 0, JOURNAL_SYNC_NS);
    }

    /**
     * Returns the maximum length of a datagram of the feed, bytes; 0: the default of the profile.
     *
     * @param planned length for one event only
     */
    int feedMtuBytes(int planned);

    /**
     * Returns why control groups of this machine do not suffice, so that containers are needed; empty if they do.
     *
     * @param directory of the runs
     */
    Optional<String> hostObstacle(Path directory);

    /** Returns the processes on this machine, with the service in control groups of the lab's own. */
    Deployment deployHere(RunPlan plan, PreparationListener listener);

    @Override
    default Optional<String> refusal(RemedyStrategy remedy) {
        return hostObstacle(Path.of("")).flatMap(obstacle -> Image.refusal()
                .map(noImage -> "fidelity " + fidelity() + " needs control groups or containers: " + obstacle + "; "
                        + noImage));
    }

    @Override
    default boolean isContained(RunPlan plan) {
        return plan.placement().isInContainers()
                || hostObstacle(plan.directory()).isPresent();
    }

    /** Returns the service with its faults, its own copy of the libraries, and the remedy; it has joined no control group yet. */
    default ProcessSpec<ServiceConfig> slow(
            RunPlan plan, ReadThrottle reads, OwnLibraries libraries, ProcessSpec<ServiceConfig> service) {
        String directory = plan.directory().toAbsolutePath().toString();
        return MysteryRemedies.of(plan.remedy())
                .applyTo(MysteryFaults.with(delayed(plan, reads, directory, service), libraries.environment())
                        .withJvmArguments(libraries.jvmArguments().toArray(String[]::new)));
    }

    /** Returns the name of the control groups of a run, unique on the machine. */
    static String groupName(RunPlan plan) {
        return "naklab-" + plan.directory().getFileName().toString().toLowerCase(Locale.ROOT);
    }

    @Override
    default Optional<String> compositionRefusal() {
        return Optional.of("fidelity " + fidelity()
                + " limits memory and reads of its own containers, not of a composition's services: omit "
                + "--attach, or use --fidelity audited");
    }

    @Override
    default Deployment deploy(RunPlan plan, PreparationListener listener) {
        return isContained(plan) ? deployInContainers(plan, listener) : deployHere(plan, listener);
    }

    private Deployment deployInContainers(RunPlan plan, PreparationListener listener) {
        listener.onStep("detecting the disk behind the engine's volumes");
        String device = BlockDevice.find();
        ReadThrottle reads = reads(plan, device, listener);
        Deployment small = Deployment.standard(plan)
                .with(Deployment.SERVICE, service -> MysteryRemedies.of(plan.remedy())
                        .applyTo(delayed(plan, reads, ContainerEnvironment.JOURNAL, service)));
        boolean isRoomy = Runtime.getRuntime().availableProcessors() >= Mystery.CORES_FOR_SECOND_GATEWAY;
        Deployment deployment = isRoomy ? small.withGateway(plan, Mystery.SECOND_GATEWAY) : small;
        return MysteryContainers.move(deployment, this, plan, device, reads.readsPerSecond(), listener);
    }

    /**
     * Returns the fault that keeps the budget of reads spent, so that a missing page has to wait.
     *
     * @param directory on the disk whose reads are slow, as the service sees it
     * @param readers number of reads that are queued before the page
     */
    default FaultSpec spentReads(RunPlan plan, ReadThrottle reads, String directory, int readers) {
        DiskReadsFault.Parameters spending =
                new DiskReadsFault.Parameters(directory, MysteryFaults.LEAST_READ_MS / reads.readsPerSecond(), readers);
        return MysteryFaults.beforeTheLimit(
                plan, reads, FaultSpec.of(MysteryFaults.READS, Deployment.SERVICE, spending));
    }

    @Override
    default void prove(MysteryProof proof, RemedyStrategy remedy) {
        proof.requireSpentReads();
        if (remedy.isLockedInMemory()) {
            proof.requireLockedPages();
        }
        if (remedy.isBoundEarly()) {
            proof.requireYield();
        } else {
            proof.requireLateBind();
        }
    }

    @Override
    default boolean isShortOfPages() {
        return true;
    }

    /** Returns where pages are missing, the JVM also stalls for its own reasons. */
    @Override
    default boolean isForeign(Stall stall) {
        return !LATE_BINDING.contains(stall.cause());
    }
}
