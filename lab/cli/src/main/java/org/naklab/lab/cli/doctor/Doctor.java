package org.naklab.lab.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Examines the machine. */
public final class Doctor {
    private Doctor() {}

    /**
     * All quick checks at once, since some start a program; then, one after the other, what is tried in containers. The findings
     * are in a fixed order.
     *
     * @param runs the directory of the runs
     * @param progress hears what takes seconds, by its name
     */
    public static List<CheckResult> examine(Path runs, Consumer<String> progress) {
        List<CompletableFuture<CheckResult>> quick = quick(runs).stream()
                .map(check -> CompletableFuture.supplyAsync(check::examine, Doctor::inThread))
                .toList();
        List<CheckResult> findings = new ArrayList<>();
        quick.forEach(finding -> findings.add(finding.join()));
        findings.add(ScenarioCheck.examine());
        findings.add(KilledLabsCheck.examine());
        findings.addAll(DockerChecks.examine(progress));
        return findings;
    }

    static List<Check> quick(Path runs) {
        return Stream.of(
                        List.<Check>of(() -> RunsDirectoryCheck.examine(runs)),
                        MachineChecks.all(),
                        LatencyChecks.all(),
                        ToolChecks.all())
                .flatMap(List::stream)
                .toList();
    }

    private static void inThread(Runnable check) {
        Thread thread = new Thread(check, "doctor");
        thread.setDaemon(true);
        thread.start();
    }
}
