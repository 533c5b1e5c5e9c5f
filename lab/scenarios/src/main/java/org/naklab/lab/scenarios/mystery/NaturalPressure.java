package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.faults.DiskLimit;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.containers.pace.ThrottledContainerEnvironment;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.replica.process.DeploymentEnvironment;
import org.naklab.lab.replica.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;

/** Squeezes the service's memory, so that the journal's own pages evict the symbol tables. Nobody chooses how long the stall is. */
public final class NaturalPressure implements ContainedStrategy {
    /** Fills a journal of several times the room that is left for the page cache. */
    public static final Preload MORNING = new Preload(8_000, TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(30));
    /** Time after the morning in which its losses are repaired; reads are throttled afterwards, ns. */
    public static final long SETTLING_NS = TimeUnit.SECONDS.toNanos(5);

    /** A bind that waits for one page takes some 200 ms then. */
    private static final ReadThrottle READS = new ReadThrottle(10, 50);
    /** Time after the morning until reads are throttled; with the engine's delay, still before the measurement starts. */
    private static final long READS_SLOW_AFTER_NS = TimeUnit.SECONDS.toNanos(3);
    /** Minimum memory; with less, the container waits for pages in constant use, or is killed. */
    private static final long LEAST_ROOM_BYTES = 3L << 20;
    /** Room in which the pages of the service's libraries fit, but no journal beside them. With less, the libraries evict each other. */
    private static final long LEAST_KEPT_ROOM_BYTES = 8L << 20;
    /** Reads queued before the page that the bind waits for. */
    private static final int READERS = 2;

    @Override
    public Fidelity fidelity() {
        return Fidelity.NATURAL;
    }

    @Override
    public boolean hasPressure() {
        return true;
    }

    @Override
    public Workload workload(Workload paced) {
        return paced.withMorning(MORNING);
    }

    @Override
    public ReadThrottle reads(RunPlan plan, String device, PreparationListener listener) {
        return READS;
    }

    @Override
    public ProcessSpec<ServiceConfig> delayed(
            RunPlan plan, ReadThrottle reads, String directory, ProcessSpec<ServiceConfig> service) {
        return MysteryFaults.inject(
                plan,
                List.of(MysteryFaults.lateBinding(plan, 0), spentReads(plan, reads, directory, READERS)),
                service);
    }

    @Override
    public DeploymentEnvironment throttled(
            ContainerEnvironment site, String container, String device, long readsPerSecond) {
        return new ThrottledContainerEnvironment(
                site,
                container,
                device,
                DiskLimit.readsPerSecond(readsPerSecond),
                MORNING.durationNs() + READS_SLOW_AFTER_NS);
    }

    @Override
    public long squeezedToBytes(RemedyStrategy remedy) {
        return needsMoreRoom(remedy) ? LEAST_KEPT_ROOM_BYTES : LEAST_ROOM_BYTES;
    }

    private static boolean needsMoreRoom(RemedyStrategy remedy) {
        return remedy.isAgainstEviction() && !remedy.isLockedInMemory();
    }

    @Override
    public Optional<String> comparisonNote(List<RemedyStrategy> remedies) {
        List<String> more = remedies.stream()
                .filter(NaturalPressure::needsMoreRoom)
                .map(strategy -> strategy.remedy().label())
                .toList();
        return more.isEmpty() || more.size() == remedies.size()
                ? Optional.empty()
                : Optional.of("the pressure is not equal: " + Format.bytes(LEAST_KEPT_ROOM_BYTES)
                        + " were left for the page cache with " + String.join(" and ", more) + ", and "
                        + Format.bytes(LEAST_ROOM_BYTES) + " with the others; with less than "
                        + Format.bytes(LEAST_KEPT_ROOM_BYTES)
                        + ", the libraries of a service without locked pages evict each other");
    }

    /** A busy morning's events share datagrams, as they do at an exchange; two cores are spared. */
    @Override
    public int feedMtuBytes(int planned) {
        return 0;
    }

    @Override
    public void prove(MysteryProof proof, RemedyStrategy remedy) {
        if (remedy.isAgainstEviction()) {
            proof.requireSqueeze();
        } else if (!remedy.isLockedInMemory()) {
            proof.requireEviction();
        }
        ContainedStrategy.super.prove(proof, remedy);
    }

    @Override
    public MysteryPrediction.Claims lengthClaim() {
        return MysteryPrediction.Claims.MADE_BY_MAJOR_FAULTS;
    }

    @Override
    public Expectation length(Stall stall, BufferSizing wanted) {
        return Expectation.of(
                lengthClaim(),
                stall.cause().equals(Cause.LATE_BINDING_MAJOR_FAULT.label()),
                Format.milliseconds(stall.durationMs()) + ", " + stall.majorFaults() + " major faults");
    }
}
