package org.naklab.lab.scenarios.mystery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.naklab.faults.binding.AuditPage;
import org.naklab.faults.binding.AuditedLaunch;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;

/** Lets the dynamic linker bind the symbol in the first yield and delays that bind in an rtld-audit library. Linux with glibc. */
final class AuditedBind implements FidelityStrategy {
    @Override
    public Fidelity fidelity() {
        return Fidelity.AUDITED;
    }

    @Override
    public Optional<String> refusal(RemedyStrategy remedy) {
        return NativeLibraries.unavailableReason()
                .map(reason -> "fidelity audited needs the native libraries: " + reason);
    }

    @Override
    public Deployment deploy(RunPlan plan, PreparationListener listener) {
        return Deployment.standard(plan).with(Deployment.SERVICE, service -> MysteryRemedies.of(plan.remedy())
                .applyTo(audited(plan, service)));
    }

    /** The delay is on the page from the beginning, so that a bind at start-up is delayed as well: a remedy moves it there. */
    private static ProcessSpec<ServiceConfig> audited(RunPlan plan, ProcessSpec<ServiceConfig> service) {
        long stallNs = MysteryFaults.stallNs(plan);
        ProcessSpec<ServiceConfig> faulty = MysteryFaults.inject(
                plan, List.of(MysteryFaults.lateBinding(plan, TimeUnit.NANOSECONDS.toMillis(stallNs))), service);
        Path page = plan.directory().resolve("audit-page");
        try (AuditPage made = AuditPage.create(page)) {
            made.delayNs(stallNs);
        }
        return plan.placement().composition() == null
                ? launched(plan, page, faulty)
                : ComposeDeployment.audited(faulty);
    }

    private static ProcessSpec<ServiceConfig> launched(RunPlan plan, Path page, ProcessSpec<ServiceConfig> service) {
        Path libraries = plan.directory().resolve("native");
        try {
            NativeLibraries.unpackTo(Files.createDirectories(libraries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + libraries, e);
        }
        AuditedLaunch launch = new AuditedLaunch(NativeLibraries.in(libraries).auditLibrary(), page);
        return MysteryFaults.with(service, launch.environment())
                .withJvmArguments("-D" + NativeLibraries.DIRECTORY_PROPERTY + "=" + libraries);
    }

    @Override
    public void prove(MysteryProof proof, RemedyStrategy remedy) {
        if (remedy.isBoundEarly()) {
            proof.requireEarlyBind();
            proof.requireYield();
        } else {
            proof.requireLateBind();
        }
    }
}
