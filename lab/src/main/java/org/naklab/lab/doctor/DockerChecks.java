package org.naklab.lab.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.naklab.lab.LabException;
import org.naklab.lab.containers.Image;

/** What the Docker engine gives; what can only be found out with containers is tried when there is an image for them. */
final class DockerChecks {
    private DockerChecks() {}

    /** @param progress hears what is being tried */
    static List<Finding> examine(Consumer<String> progress) {
        Engine.Answer answer = Engine.ask();
        List<Finding> findings = new ArrayList<>(List.of(answer.finding()));
        answer.engine().ifPresent(engine -> examine(engine, findings, progress));
        return findings;
    }

    private static void examine(Engine engine, List<Finding> findings, Consumer<String> progress) {
        findings.add(engine.controlGroups());
        findings.add(KilledLabs.examineEngine());
        Optional<String> refusal = Image.refusal();
        findings.add(Engine.image(refusal));
        if (refusal.isPresent()) {
            findings.add(engine.kernelByRelease(System.getProperty("os.version")));
            return;
        }
        try (Workbench bench = new Workbench()) {
            for (Trial trial :
                    List.of(new SightTrial(engine), new MulticastTrial(), new MemoryTrial(), new ReadTrial())) {
                progress.accept(trial.name());
                findings.addAll(attempt(trial, bench));
            }
        } catch (LabException e) {
            findings.add(Finding.no("Docker leftovers", String.valueOf(e.getMessage()), "remove them by hand"));
        }
    }

    private static List<Finding> attempt(Trial trial, Workbench bench) {
        try {
            return trial.examine(bench);
        } catch (LabException e) {
            return List.of(
                    Finding.no(trial.name(), "could not be tried: " + e.getMessage(), "see docs/how-to/docker.md"));
        }
    }
}
