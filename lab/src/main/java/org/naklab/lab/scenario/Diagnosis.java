package org.naklab.lab.scenario;

import java.util.Comparator;

/** The cause that a run's stalls and losses point to. */
final class Diagnosis {
    static final String CLEAN = "clean";
    static final String CANNOT_TELL = "cannot-tell";

    private Diagnosis() {}

    /** The cause of the service's longest stall; without a stall, whether anything went wrong at all. */
    static String of(RunOutcome outcome) {
        return outcome.stalls().stream()
                .filter(stall -> stall.process().equals(Deployment.SERVICE))
                .max(Comparator.comparingDouble(Stall::durationMs))
                .map(stall -> stall.cause().equals(StallCauses.UNKNOWN) ? CANNOT_TELL : stall.cause())
                .orElseGet(() -> isTroubled(outcome) ? CANNOT_TELL : CLEAN);
    }

    private static boolean isTroubled(RunOutcome outcome) {
        return outcome.naks() > 0
                || outcome.datagramsDropped() > 0
                || !outcome.troubles().isEmpty();
    }
}
