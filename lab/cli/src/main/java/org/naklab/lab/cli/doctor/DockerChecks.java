package org.naklab.lab.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.naklab.lab.containers.Image;
import org.naklab.lab.core.LabException;

/** Checks the Docker engine. Checks that need containers run only if the image exists. */
final class DockerChecks {
    private DockerChecks() {}

    /** @param progress hears what is being tried */
    static List<CheckResult> examine(Consumer<String> progress) {
        Engine.Answer answer = Engine.ask();
        List<CheckResult> findings = new ArrayList<>(List.of(answer.finding()));
        answer.engine().ifPresent(engine -> examine(engine, findings, progress));
        return findings;
    }

    private static void examine(Engine engine, List<CheckResult> findings, Consumer<String> progress) {
        findings.add(engine.controlGroups());
        findings.add(KilledLabsCheck.examineEngine());
        Optional<String> refusal = Image.refusal();
        findings.add(Engine.image(refusal));
        if (refusal.isPresent()) {
            findings.add(engine.kernelByRelease(System.getProperty("os.version")));
            return;
        }
        try (DoctorSandbox bench = new DoctorSandbox()) {
            for (ContainerCheck trial : List.of(
                    new ProcVisibilityCheck(engine),
                    new MulticastCheck(),
                    new MemoryLimitCheck(),
                    new ReadThrottleCheck())) {
                progress.accept(trial.name());
                findings.addAll(attempt(trial, bench));
            }
        } catch (LabException e) {
            findings.add(CheckResult.no("Docker leftovers", String.valueOf(e.getMessage()), "remove them manually"));
        }
    }

    private static List<CheckResult> attempt(ContainerCheck trial, DoctorSandbox bench) {
        try {
            return trial.examine(bench);
        } catch (LabException e) {
            return List.of(CheckResult.no(
                    trial.name(), "could not be tested: " + e.getMessage(), "see docs/how-to/docker.md"));
        }
    }
}
