package org.naklab.lab.scenarios.mystery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.kind.DiskReadsFault;
import org.naklab.faults.kind.LazyBindingFault;
import org.naklab.faults.kind.PageEvictionFault;
import org.naklab.faults.kind.RateLimitYieldFault;
import org.naklab.faults.kind.StallFault;
import org.naklab.lab.containers.ContainerEnvironment;
import org.naklab.lab.containers.pace.EvictionProbe;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.replica.process.ProcessFaults;
import org.naklab.lab.replica.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.service.ServiceFaults;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;

/** The start configuration of the mystery's market data service: fault plan, audited environment, remedy. */
public final class MysteryFaults {
    /** Spoils the wake-up, so that the context thread yields. */
    public static final String YIELD = "rate-limit-yield";
    /** Makes the first yield bind late. */
    public static final String BINDING = "lazy-binding";
    /** Simulates a late bind where no symbol can be bound late. */
    public static final String PARKING = "stall";

    /** Keeps the reads' budget spent, so that a missing page has to wait. */
    public static final String READS = "disk-reads";
    /** Sends the pages out that memory pressure would. */
    static final String EVICTION = "page-eviction";

    static final long WARM_UP_MS = 2_000;
    /** Between two series of snapshots, so that the next boundary's is the first that counts. */
    private static final int ARMED_AT_PHASE_MS = 500;
    /**
     * The phase of the second at which the snapshots first hit the limit, minus the time to arm a fault; the throttle's slices divide
     * the second evenly.
     */
    private static final int LIMIT_HIT_AT_PHASE_MS = 8;
    /** Late enough that nobody else needs the pages until the boundary. */
    private static final int EVICTED_AT_PHASE_MS = 900;
    /** Reads queued before the page that a natural bind waits for. */
    private static final int NATURAL_READERS = 2;
    /** Half of what a read takes whose budget is spent, for one read in a second. */
    private static final long LEAST_READ_MS = 500;
    /** Every second from then on: only the first yield may stall. */
    private static final int SPOILED_WAKE_UPS = 1_000;
    /** A limit hit later after the boundary would not be the series' first hit. */
    private static final int WINDOW_MS = 4;
    /** An interval of the limiter and as much again. */
    private static final int MAX_HOLD_MS = 40;

    private MysteryFaults() {}

    /** Duration of the flow before the faults are armed and the measurement starts. */
    static long warmUpMs(RunPlan plan) {
        Preload morning = plan.workload().morning();
        return morning == null
                ? WARM_UP_MS
                : TimeUnit.NANOSECONDS.toMillis(morning.durationNs() + MysteryContainers.SETTLING_NS);
    }

    /** @param reads that the service's container may make; null: it has none */
    static ProcessSpec<ServiceConfig> compose(
            RunPlan plan, @Nullable ReadThrottle reads, ProcessSpec<ServiceConfig> service) {
        boolean isEarlyByTouch = plan.remedy() == Remedy.PRE_TOUCH;
        ServiceConfig faulty = service.config().with(faultPlan(plan, reads));
        ProcessSpec<ServiceConfig> composed = service.withConfig(isEarlyByTouch ? faulty.preTouched() : faulty);
        ProcessSpec<ServiceConfig> launched = plan.fidelity() == Fidelity.AUDITED ? audited(plan, composed) : composed;
        return plan.remedy() == Remedy.BIND_NOW ? with(launched, AuditedLaunch.bindNow()) : launched;
    }

    private static FaultPlan faultPlan(RunPlan plan, @Nullable ReadThrottle reads) {
        FaultSpec yield = FaultSpec.of(
                YIELD,
                Deployment.SERVICE,
                new RateLimitYieldFault.Parameters(
                        ServiceFaults.SNAPSHOT_LOCKS, null, SPOILED_WAKE_UPS, WINDOW_MS, MAX_HOLD_MS));
        List<FaultSpec> faults = new ArrayList<>();
        faults.add(at(plan, ARMED_AT_PHASE_MS, yield));
        faults.add(at(plan, ARMED_AT_PHASE_MS, binding(plan)));
        if (reads != null) {
            DiskReadsFault.Parameters spending = new DiskReadsFault.Parameters(
                    ContainerEnvironment.JOURNAL, LEAST_READ_MS / reads.readsPerSecond(), readers(plan));
            int phaseMs = ARMED_AT_PHASE_MS + LIMIT_HIT_AT_PHASE_MS + (int) reads.firstWaitMs();
            faults.add(at(plan, phaseMs, FaultSpec.of(READS, Deployment.SERVICE, spending)));
        }
        if (plan.fidelity() == Fidelity.EVICTED) {
            FaultSpec eviction = FaultSpec.of(EVICTION, Deployment.SERVICE, new PageEvictionFault.Parameters());
            faults.add(at(plan, EVICTED_AT_PHASE_MS, eviction));
        }
        return new FaultPlan(plan.seed(), faults);
    }

    private static int readers(RunPlan plan) {
        return plan.fidelity() == Fidelity.NATURAL ? NATURAL_READERS : EvictionProbe.READERS;
    }

    private static FaultSpec at(RunPlan plan, int phaseMs, FaultSpec spec) {
        return spec.withWhen(new When(ProcessFaults.FLOW_TRIGGER, warmUpMs(plan), phaseMs))
                .withForMs(FaultSpec.MAX_FOR_MS);
    }

    private static FaultSpec binding(RunPlan plan) {
        long stallMs = TimeUnit.NANOSECONDS.toMillis(stallNs(plan));
        if (plan.fidelity() == Fidelity.SIMULATED) {
            return FaultSpec.of(
                    PARKING, Deployment.SERVICE, new StallFault.Parameters(ServiceFaults.BEFORE_YIELD, stallMs, 1));
        }
        long delayMs = plan.fidelity() == Fidelity.AUDITED ? stallMs : 0;
        return FaultSpec.of(
                BINDING, Deployment.SERVICE, new LazyBindingFault.Parameters(ServiceFaults.CONTEXT_YIELDER, delayMs));
    }

    /** The delay stands on the page from the beginning, so that a bind at start-up takes it as well: a remedy moves it there. */
    private static ProcessSpec<ServiceConfig> audited(RunPlan plan, ProcessSpec<ServiceConfig> service) {
        Path page = plan.directory().resolve("audit-page");
        try (AuditPage made = AuditPage.create(page)) {
            made.delayNs(stallNs(plan));
        }
        if (plan.composition() != null) {
            return ComposeDeployment.audited(service);
        }
        Path libraries = plan.directory().resolve("native");
        try {
            NativeLibraries.unpackTo(Files.createDirectories(libraries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + libraries, e);
        }
        AuditedLaunch launch = new AuditedLaunch(NativeLibraries.in(libraries).auditLibrary(), page);
        return with(service, launch.environment())
                .withJvmArguments("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + libraries);
    }

    static ProcessSpec<ServiceConfig> with(ProcessSpec<ServiceConfig> service, Map<String, String> environment) {
        ProcessSpec<ServiceConfig> composed = service;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            composed = composed.withEnvironment(variable.getKey(), variable.getValue());
        }
        return composed;
    }

    static long stallNs(RunPlan plan) {
        BufferSizing stall = plan.stall();
        if (stall == null) {
            throw new IllegalStateException("the plan has not been prepared: it has no stall");
        }
        return stall.stallNs();
    }
}
