package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.Stall;

/**
 * One attempt of a disturbance, and what its run came to.
 *
 * @param verdict its label
 */
public record ForeignAttempt(Trial trial, Proof proof, String verdict, Diagnosed diagnosed, Path directory) {
    /**
     * Identifies the attempt.
     *
     * @param number of the attempt for this disturbance, load and seed, from 1
     */
    public record Trial(Disturbance disturbance, Load load, long seed, int number) {}

    /**
     * Contains what the watch said, and what is right about it.
     *
     * @param statements the named causes; the first is the main one
     * @param stall the stall that matters; {@code null}: there was none
     * @param judgement {@code null}: the disturbance was not made, and nothing is judged
     * @param certain the judged statements with confidence {@code certain}
     * @param wrongCertain those of them whose cause was not made
     */
    public record Diagnosed(
            List<DiagnosisReading.Statement> statements,
            @Nullable Stall stall,
            @Nullable Judgement judgement,
            List<DiagnosisReading.Statement> certain,
            List<DiagnosisReading.Statement> wrongCertain) {}

    /** Judges a run by its files. */
    static ForeignAttempt of(ForeignExperiment.Case chosen, int number, ForeignExperiment.Outcome outcome) {
        Disturbance disturbance = chosen.disturbance();
        Proof proof = outcome.proof();
        DiagnosisReading reading = outcome.diagnosis();
        boolean isMade = proof.isMade();
        return new ForeignAttempt(
                new ForeignAttempt.Trial(disturbance, chosen.load(), chosen.seed(), number),
                proof,
                outcome.verdict(),
                new ForeignAttempt.Diagnosed(
                        reading.statements(),
                        reading.stall(),
                        isMade ? Judgement.of(disturbance, proof, reading) : null,
                        isMade ? Judgement.certain(proof, reading) : List.of(),
                        isMade ? Judgement.wrongCertain(disturbance, proof, reading) : List.of()),
                outcome.directory());
    }

    public boolean isMade() {
        return proof.isMade();
    }

    /** Returns the main cause. */
    public String cause() {
        return diagnosed.statements().get(0).cause();
    }

    /** Returns the confidence of the main cause; empty if the run does not tell. */
    public String confidence() {
        return diagnosed.statements().get(0).confidence();
    }

    /** Returns true if such a run may have this verdict. */
    public boolean isVerdictExpected() {
        return trial.disturbance().truth().verdicts().contains(verdict);
    }
}
