package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.records.Stall;

/** The document of {@code confusion foreign --json}. Its keys are a contract. */
record ForeignDocument(
        @JsonProperty boolean passed,
        @JsonProperty Total score,
        @JsonProperty Map<String, Row> disturbances,
        @JsonProperty List<Attempt> attempts,
        @JsonProperty Map<String, String> leftOut) {
    /** The score of all attempts, with shares from 0 to 1. */
    record Total(
            @JsonUnwrapped AllTries tries,
            @JsonUnwrapped AllResults results,
            Certain certain,
            @JsonUnwrapped Shares shares) {
        /** Counts the attempts. */
        record AllTries(int attempts, int made, int notMade) {}

        /** Counts the diagnoses. */
        record AllResults(int named, int part, int notExplained, int silent, int wrong, int unexpectedVerdicts) {}

        /** Contains the shares of the diagnoses that were made, 0 to 1. */
        record Shares(double shareNamed, double shareNotExplained, double shareWrong) {}
    }

    /** Statements with confidence {@code certain}; without any there is no precision. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Certain(int right, int all, @Nullable Double precision) {
        static Certain of(ForeignMatrix.Score score) {
            return new Certain(
                    score.rightCertain(),
                    score.sure().certain(),
                    score.sure().certain() == 0
                            ? null
                            : (Double) ForeignMatrix.rounded(
                                    (double) score.rightCertain() / score.sure().certain()));
        }
    }

    /** One disturbance with its truth and score. */
    record Row(
            @JsonUnwrapped About about,
            @JsonUnwrapped Tries tries,
            @JsonUnwrapped Results results) {
        /** Describes the disturbance. */
        record About(
                String summary,
                Target target,
                String disturbs,
                List<List<String>> causes,
                List<AccountKind> kinds,
                List<String> verdicts) {}

        /** Counts the attempts. */
        record Tries(int attempts, int made) {}

        /** Counts the diagnoses. */
        record Results(int named, int part, int notExplained, int silent, int wrong, int wrongCertain) {}
    }

    /** One attempt. {@code judgement} is {@code not-made} without proof. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Attempt(
            @JsonUnwrapped Trial trial,
            Proof proof,
            @JsonUnwrapped Judged judged,
            @JsonUnwrapped Diagnosed diagnosed,
            @Nullable Double stallMs,
            List<AccountEntry> account,
            String runDirectory) {
        /** Identifies the attempt. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        record Trial(String disturbance, String load, long seed, int attempt) {}

        /** Contains the verdict of the watch. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        record Judged(String verdict, boolean verdictExpected) {}

        /** Contains the diagnosis, and what is right about it. */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        record Diagnosed(
                String cause, String confidence, List<String> causes, String judgement, List<String> wrongCertain) {}
    }

    static ForeignDocument of(ForeignMatrix matrix) {
        ForeignMatrix.Score score = matrix.score();
        Map<String, Row> rows = new LinkedHashMap<>();
        matrix.scores().forEach((disturbance, its) -> rows.put(disturbance.name(), row(disturbance, its)));
        Map<String, String> leftOut = new LinkedHashMap<>();
        matrix.leftOut().forEach((disturbance, reason) -> leftOut.put(disturbance.name(), reason));
        return new ForeignDocument(
                matrix.isSuccess(),
                new Total(
                        new Total.AllTries(
                                score.tries().attempts(), score.tries().made(), score.notMade()),
                        new Total.AllResults(
                                score.results().named(),
                                score.results().part(),
                                score.results().notExplained(),
                                score.results().silent(),
                                score.results().wrong(),
                                score.unexpectedVerdicts()),
                        Certain.of(score),
                        new Total.Shares(
                                ForeignMatrix.rounded(
                                        score.share(score.results().named())),
                                ForeignMatrix.rounded(
                                        score.share(score.results().notExplained())),
                                ForeignMatrix.rounded(
                                        score.share(score.results().wrong())))),
                rows,
                matrix.attempts().stream().map(ForeignDocument::attempt).toList(),
                leftOut);
    }

    private static Row row(Disturbance disturbance, ForeignMatrix.Score score) {
        return new Row(
                new Row.About(
                        disturbance.summary(),
                        disturbance.target(),
                        disturbance.disturbs(),
                        disturbance.truth().causes().stream()
                                .map(words -> words.stream().sorted().toList())
                                .toList(),
                        disturbance.truth().kinds().stream().sorted().toList(),
                        disturbance.truth().verdicts().stream().sorted().toList()),
                new Row.Tries(score.tries().attempts(), score.tries().made()),
                new Row.Results(
                        score.results().named(),
                        score.results().part(),
                        score.results().notExplained(),
                        score.results().silent(),
                        score.results().wrong(),
                        score.sure().wrongCertain()));
    }

    private static Attempt attempt(ForeignAttempt attempt) {
        Stall stall = attempt.diagnosed().stall();
        return new Attempt(
                new Attempt.Trial(
                        attempt.trial().disturbance().name(),
                        attempt.trial().load().label(),
                        attempt.trial().seed(),
                        attempt.trial().number()),
                attempt.proof(),
                new Attempt.Judged(attempt.verdict(), attempt.isVerdictExpected()),
                new Attempt.Diagnosed(
                        attempt.cause(),
                        attempt.confidence(),
                        attempt.diagnosed().statements().stream()
                                .map(DiagnosisReading.Statement::cause)
                                .toList(),
                        ForeignMatrix.word(attempt),
                        attempt.diagnosed().wrongCertain().stream()
                                .map(DiagnosisReading.Statement::cause)
                                .toList()),
                stall == null ? null : (Double) stall.durationMs(),
                stall == null ? List.of() : stall.account().entries(),
                attempt.directory().toString());
    }
}
