package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.kind.LazyBindingFault;
import org.naklab.faults.kind.RateLimitYieldFault;
import org.naklab.lab.containers.pace.ReadThrottle;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.exchange.Preload;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.service.ServiceFaults;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunPlan;

/** The faults that all fidelities of the mystery share, and the times at which they are armed. */
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
    /** Half of what a read takes whose budget is spent, for one read in a second. */
    static final long LEAST_READ_MS = 500;
    /** Every second from then on: only the first yield may stall. */
    private static final int SPOILED_WAKE_UPS = 1_000;
    /** A limit hit later after the boundary would not be the series' first hit. */
    private static final int WINDOW_MS = 4;
    /** An interval of the limiter and as much again. */
    private static final int MAX_HOLD_MS = 40;

    private MysteryFaults() {}

    /** Duration of the flow before the faults are armed and the measurement starts. */
    static long warmUpMs(RunPlan plan) {
        long morningNs = morningNs(plan);
        return morningNs == 0 ? WARM_UP_MS : TimeUnit.NANOSECONDS.toMillis(morningNs + NaturalPressure.SETTLING_NS);
    }

    /** Returns the length of the busy morning, ns; 0 without one. */
    static long morningNs(RunPlan plan) {
        Preload morning = plan.workload().morning();
        return morning == null ? 0 : morning.durationNs();
    }

    /**
     * Adds the faults to the service: the wake-up that fails, so that the context thread yields, and what delays that yield.
     *
     * @param delaying scheduled faults that delay the first yield
     */
    static ProcessSpec<ServiceConfig> inject(
            RunPlan plan, List<FaultSpec> delaying, ProcessSpec<ServiceConfig> service) {
        return inject(plan, 0, delaying, service);
    }

    /**
     * Does the same for a wake-up that fails later.
     *
     * @param boundaries second boundaries that pass before the first wake-up fails
     */
    static ProcessSpec<ServiceConfig> inject(
            RunPlan plan, int boundaries, List<FaultSpec> delaying, ProcessSpec<ServiceConfig> service) {
        FaultSpec yield = FaultSpec.of(
                YIELD,
                Deployment.SERVICE,
                new RateLimitYieldFault.Parameters(
                        ServiceFaults.SNAPSHOT_LOCKS, null, SPOILED_WAKE_UPS, WINDOW_MS, MAX_HOLD_MS));
        List<FaultSpec> faults = new ArrayList<>();
        faults.add(at(plan, TimeUnit.SECONDS.toMillis(boundaries), ARMED_AT_PHASE_MS, yield));
        faults.addAll(delaying);
        return service.withConfig(service.config().with(new FaultPlan(plan.seed(), faults)));
    }

    /**
     * Returns the fault that makes the first yield bind its symbol.
     *
     * @param delayMs added to the bind by the audit library, ms; 0: none
     */
    static FaultSpec lateBinding(RunPlan plan, long delayMs) {
        return beforeTheBoundary(
                plan,
                FaultSpec.of(
                        BINDING,
                        Deployment.SERVICE,
                        new LazyBindingFault.Parameters(ServiceFaults.CONTEXT_YIELDER, delayMs)));
    }

    /** Arms a fault between two series of snapshots. */
    static FaultSpec beforeTheBoundary(RunPlan plan, FaultSpec fault) {
        return at(plan, ARMED_AT_PHASE_MS, fault);
    }

    /** Arms a fault so that a read waits when the snapshots first hit the limit. */
    static FaultSpec beforeTheLimit(RunPlan plan, ReadThrottle reads, FaultSpec fault) {
        return at(plan, ARMED_AT_PHASE_MS + LIMIT_HIT_AT_PHASE_MS + (int) reads.firstWaitMs(), fault);
    }

    /**
     * Arms a fault after the warm-up.
     *
     * @param phaseMs phase of the second, ms
     */
    static FaultSpec at(RunPlan plan, int phaseMs, FaultSpec fault) {
        return at(plan, 0, phaseMs, fault);
    }

    private static FaultSpec at(RunPlan plan, long laterMs, int phaseMs, FaultSpec fault) {
        return fault.withWhen(new When(ProcessFaults.FLOW_TRIGGER, warmUpMs(plan) + laterMs, phaseMs))
                .withForMs(FaultSpec.MAX_FOR_MS);
    }

    /** Adds variables to the environment of the service. */
    static ProcessSpec<ServiceConfig> with(ProcessSpec<ServiceConfig> service, Map<String, String> environment) {
        ProcessSpec<ServiceConfig> composed = service;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            composed = composed.withEnvironment(variable.getKey(), variable.getValue());
        }
        return composed;
    }

    static long stallNs(RunPlan plan) {
        BufferSizing stall = plan.traffic().stall();
        if (stall == null) {
            throw new IllegalStateException("the plan has not been prepared: it has no stall");
        }
        return stall.stallNs();
    }
}
