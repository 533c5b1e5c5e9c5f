package org.naklab.lab.doctor;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Examines the machine. */
public final class Doctor {
    private Doctor() {}

    /** All checks at once, since some start a program; the findings are in a fixed order. */
    public static List<Finding> examine() {
        List<CompletableFuture<Finding>> findings = Stream.concat(
                        MachineChecks.all().stream(), ToolChecks.all().stream())
                .map(check -> CompletableFuture.supplyAsync(check::examine, Doctor::inThread))
                .toList();
        return findings.stream().map(CompletableFuture::join).toList();
    }

    private static void inThread(Runnable check) {
        Thread thread = new Thread(check, "doctor");
        thread.setDaemon(true);
        thread.start();
    }
}
