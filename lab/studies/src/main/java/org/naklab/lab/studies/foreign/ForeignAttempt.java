package org.naklab.lab.studies.foreign;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.records.Stall;

/**
 * One attempt of a disturbance, and what its run came to.
 *
 * @param number of the attempt for this disturbance, load and seed, from 1
 * @param verdict its label
 * @param statements the named causes; the first is the main one
 * @param stall the stall that matters; {@code null}: there was none
 * @param judgement {@code null}: the disturbance was not made, and nothing is judged
 * @param certain the judged statements with confidence {@code certain}
 * @param wrongCertain those of them whose cause was not made
 */
public record ForeignAttempt(
        Disturbance disturbance,
        Load load,
        long seed,
        int number,
        Proof proof,
        String verdict,
        List<DiagnosisReading.Statement> statements,
        @Nullable Stall stall,
        @Nullable Judgement judgement,
        List<DiagnosisReading.Statement> certain,
        List<DiagnosisReading.Statement> wrongCertain,
        Path directory) {
    /** Judges a run by its files. */
    static ForeignAttempt of(ForeignExperiment.Case chosen, int number, ForeignExperiment.Outcome outcome) {
        Disturbance disturbance = chosen.disturbance();
        Proof proof = outcome.proof();
        DiagnosisReading reading = outcome.diagnosis();
        boolean isMade = proof.isMade();
        return new ForeignAttempt(
                disturbance,
                chosen.load(),
                chosen.seed(),
                number,
                proof,
                outcome.verdict(),
                reading.statements(),
                reading.stall(),
                isMade ? Judgement.of(disturbance, proof, reading) : null,
                isMade ? Judgement.certain(proof, reading) : List.of(),
                isMade ? Judgement.wrongCertain(disturbance, proof, reading) : List.of(),
                outcome.directory());
    }

    public boolean isMade() {
        return proof.isMade();
    }

    /** Returns the main cause. */
    public String cause() {
        return statements.get(0).cause();
    }

    /** Returns the confidence of the main cause; empty if the run does not tell. */
    public String confidence() {
        return statements.get(0).confidence();
    }

    /** Returns true if such a run may have this verdict. */
    public boolean isVerdictExpected() {
        return disturbance.verdicts().contains(verdict);
    }
}
