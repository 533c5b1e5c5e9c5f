package org.naklab.lab.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.faults.kind.LazyBindingFault;
import org.naklab.faults.kind.RateLimitYieldFault;
import org.naklab.faults.kind.StallFault;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.ServiceConfig;
import org.naklab.lab.process.ServiceFaults;

/** What the market data service of the mystery is started with: its fault plan, the audited environment, the remedy. */
final class MysteryFaults {
    /** Spoils the wake-up, so that the context thread yields. */
    static final String YIELD = "rate-limit-yield";
    /** Makes the first yield bind late. */
    static final String BINDING = "lazy-binding";
    /** In place of a late bind, where nothing can be bound late. */
    static final String PARKING = "stall";

    static final long WARM_UP_MS = 2_000;
    /** Between two series of snapshots, so that the next boundary's is the first that counts. */
    private static final int ARMED_AT_PHASE_MS = 500;
    /** Every second from then on: only the first yield may stall. */
    private static final int SPOILED_WAKE_UPS = 1_000;
    /** A limit hit later after the boundary would not be the series' first hit. */
    private static final int WINDOW_MS = 4;
    /** An interval of the limiter and as much again. */
    private static final int MAX_HOLD_MS = 40;

    private MysteryFaults() {}

    static ProcessSpec compose(RunPlan plan, ProcessSpec service) {
        boolean isEarlyByTouch = plan.remedy() == Remedy.PRE_TOUCH;
        ProcessSpec composed =
                service.withConfig(((ServiceConfig) service.config()).with(faultPlan(plan), isEarlyByTouch));
        return plan.fidelity() == Fidelity.AUDITED ? audited(plan, composed) : composed;
    }

    private static FaultPlan faultPlan(RunPlan plan) {
        FaultSpec yield = FaultSpec.of(
                YIELD,
                Deployment.SERVICE,
                new RateLimitYieldFault.Parameters(
                        ServiceFaults.SNAPSHOT_LOCKS, null, SPOILED_WAKE_UPS, WINDOW_MS, MAX_HOLD_MS));
        When when = new When(ProcessFaults.FLOW_TRIGGER, WARM_UP_MS, ARMED_AT_PHASE_MS);
        List<FaultSpec> faults = List.of(yield, binding(plan)).stream()
                .map(spec -> spec.withWhen(when).withForMs(FaultSpec.MAX_FOR_MS))
                .toList();
        return new FaultPlan(plan.seed(), faults);
    }

    private static FaultSpec binding(RunPlan plan) {
        long stallMs = TimeUnit.NANOSECONDS.toMillis(stallNs(plan));
        return plan.fidelity() == Fidelity.AUDITED
                ? FaultSpec.of(
                        BINDING,
                        Deployment.SERVICE,
                        new LazyBindingFault.Parameters(ServiceFaults.CONTEXT_YIELDER, stallMs))
                : FaultSpec.of(
                        PARKING, Deployment.SERVICE, new StallFault.Parameters(ServiceFaults.BEFORE_YIELD, stallMs, 1));
    }

    /** The delay stands on the page from the beginning, so that a bind at start-up takes it as well: a remedy moves it there. */
    private static ProcessSpec audited(RunPlan plan, ProcessSpec service) {
        Path libraries = plan.directory().resolve("native");
        try {
            NativeLibraries.unpackTo(Files.createDirectories(libraries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + libraries, e);
        }
        Path page = plan.directory().resolve("audit-page");
        try (AuditPage made = AuditPage.create(page)) {
            made.delayNs(stallNs(plan));
        }
        AuditedLaunch launch = new AuditedLaunch(NativeLibraries.in(libraries).auditLibrary(), page);
        ProcessSpec composed = with(service, launch.environment())
                .withJvmArguments("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + libraries);
        return plan.remedy() == Remedy.BIND_NOW ? with(composed, AuditedLaunch.bindNow()) : composed;
    }

    private static ProcessSpec with(ProcessSpec service, Map<String, String> environment) {
        ProcessSpec composed = service;
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            composed = composed.withEnvironment(variable.getKey(), variable.getValue());
        }
        return composed;
    }

    private static long stallNs(RunPlan plan) {
        StallArithmetic stall = plan.stall();
        if (stall == null) {
            throw new IllegalStateException("the plan has not been prepared: it has no stall");
        }
        return stall.stallNs();
    }
}
