package org.naklab.lab.scenarios.mystery;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.faults.DiskLimit;
import org.naklab.lab.containers.pace.OwnLibraries;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.containers.pace.ThrottledContainerEnvironment;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.replica.service.MemoryConstraint;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;

/** Squeezes the service's memory, so that the journal's own pages evict the symbol tables. Nobody chooses how long the stall is. */
public final class NaturalPressure implements ContainedStrategy {
    /** Length of a run that is not told another one: the short form, ns. */
    public static final long SHORTEST_NS = TimeUnit.SECONDS.toNanos(60);
    /** Time after the morning in which its losses are repaired; reads are throttled afterwards, ns. */
    public static final long SETTLING_NS = TimeUnit.SECONDS.toNanos(5);
    /** Second boundaries of which the seed chooses the one at which a wake-up first fails. */
    static final int BOUNDARIES = 5;
    /** What follows the morning: the settling, the boundaries, the stall and its repair, ns. */
    private static final long AFTERNOON_NS = SETTLING_NS + TimeUnit.SECONDS.toNanos(BOUNDARIES + 5);

    private static final long RISE_NS = TimeUnit.SECONDS.toNanos(3);
    /** Fills a journal of several times the room that is left for the page cache, however long the morning is. */
    private static final long MORNING_EVENTS = 360_000;

    private static final long LEAST_EVENTS_PER_SECOND = 2_000;

    /** A bind that waits for one page takes some 200 ms then. */
    private static final ReadThrottle READS = new ReadThrottle(10, 50);
    /** Time after the morning until reads are throttled; with the engine's delay, still before the measurement starts. */
    private static final long READS_SLOW_AFTER_NS = TimeUnit.SECONDS.toNanos(3);
    /** Minimum memory; with less, the container waits for pages in constant use, or is killed. */
    private static final long LEAST_ROOM_BYTES = 3L << 20;
    /** Room in which the pages of the service's libraries fit, but no journal beside them. With less, the libraries evict each other. */
    private static final long LEAST_KEPT_ROOM_BYTES = 8L << 20;
    /** What all in the service's control groups may use on this machine: the buffers of its driver and its native memory, and some 120 MiB of page cache. Its heap is outside. */
    private static final long HOST_MEMORY_BYTES = 384L << 20;
    /** No collection in the short form, which would wait for pages of the JVM; the heap is outside of the limit. */
    private static final String[] ROOMY_HEAP = {"-Xms640m", "-Xmx640m", "-Xmn512m"};
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

    /**
     * Adds the morning before the last quarter of a minute.
     *
     * @throws UsageException if the flow is shorter than the short form
     */
    @Override
    public Workload workload(Workload paced) {
        long durationNs = paced.durationNs() == Mystery.DURATION_NS ? SHORTEST_NS : paced.durationNs();
        if (durationNs < SHORTEST_NS || durationNs == Long.MAX_VALUE) {
            throw new UsageException("fidelity natural needs an order flow of "
                    + TimeUnit.NANOSECONDS.toSeconds(SHORTEST_NS) + " s or more, such as --duration 15m");
        }
        return paced.withDurationNs(AFTERNOON_NS).withMorning(morning(durationNs - AFTERNOON_NS));
    }

    private static Preload morning(long morningNs) {
        long eventsPerSecond = MORNING_EVENTS / Math.max(1, TimeUnit.NANOSECONDS.toSeconds(morningNs));
        return new Preload(Math.max(LEAST_EVENTS_PER_SECOND, eventsPerSecond), RISE_NS, morningNs);
    }

    /** Returns how many second boundaries pass, after the faults could strike, until a wake-up first fails: the seed decides it before the run, whatever memory does then. */
    static int boundariesBeforeCall(long seed) {
        return (int) Long.remainderUnsigned(new SplittableRandom(seed).nextLong(), BOUNDARIES);
    }

    @Override
    public Optional<String> hostObstacle(Path directory) {
        return SqueezedGroup.obstacle(directory);
    }

    @Override
    public Deployment deployHere(RunPlan plan, PreparationListener listener) {
        OwnLibraries libraries = new OwnLibraries(plan.directory().resolve("libraries"));
        SqueezedGroup group = new SqueezedGroup(
                ContainedStrategy.groupName(plan),
                plan.directory(),
                libraries,
                new SqueezedGroup.Limits(
                        HOST_MEMORY_BYTES,
                        READS.readsPerSecond(),
                        MysteryFaults.morningNs(plan) + READS_SLOW_AFTER_NS));
        Deployment deployment = Deployment.standard(plan)
                .withExchange(exchange -> exchange.withConfig(
                        exchange.config().withTransport(shared(exchange.config().transport()))));
        return new Deployment(
                deployment.exchange(),
                deployment
                        .with(Deployment.SERVICE, service -> {
                            ProcessSpec<ServiceConfig> slow = slow(plan, READS, libraries, service);
                            ServiceConfig config = slow.config();
                            return slow.withConfig(config.confined(shared(config.transport()), constraint(plan))
                                            .inControlGroups(group.directories()))
                                    .withJvmArguments(PRE_TOUCH)
                                    .withJvmArguments(ROOMY_HEAP);
                        })
                        .subscribers(),
                group);
    }

    private TransportConfig shared(TransportConfig transport) {
        return transport.withFeedMtuBytes(feedMtuBytes(transport.feedMtuBytes()));
    }

    @Override
    public MemoryConstraint constraint(RunPlan plan) {
        return new MemoryConstraint(
                squeezedToBytes(MysteryRemedies.of(plan.remedy())), MysteryFaults.morningNs(plan), JOURNAL_SYNC_NS);
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
                boundariesBeforeCall(plan.seed()),
                List.of(MysteryFaults.lateBinding(plan, 0), spentReads(plan, reads, directory, READERS)),
                service);
    }

    @Override
    public DeploymentEnvironment throttled(
            RunPlan plan, ContainerEnvironment site, String container, String device, long readsPerSecond) {
        return new ThrottledContainerEnvironment(
                site,
                container,
                device,
                DiskLimit.readsPerSecond(readsPerSecond),
                MysteryFaults.morningNs(plan) + READS_SLOW_AFTER_NS);
    }

    private static long squeezedToBytes(RemedyStrategy remedy) {
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
