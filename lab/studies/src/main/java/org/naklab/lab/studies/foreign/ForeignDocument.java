package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
            int attempts,
            int made,
            int notMade,
            int named,
            int part,
            int notExplained,
            int silent,
            int wrong,
            int unexpectedVerdicts,
            Certain certain,
            double shareNamed,
            double shareNotExplained,
            double shareWrong) {}

    /** Statements with confidence {@code certain}; without any there is no precision. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Certain(int right, int all, @Nullable Double precision) {
        static Certain of(ForeignMatrix.Score score) {
            return new Certain(
                    score.rightCertain(),
                    score.certain(),
                    score.certain() == 0
                            ? null
                            : (Double) ForeignMatrix.rounded((double) score.rightCertain() / score.certain()));
        }
    }

    /** One disturbance with its truth and score. */
    record Row(
            String summary,
            Target target,
            String disturbs,
            List<List<String>> causes,
            List<AccountKind> kinds,
            List<String> verdicts,
            int attempts,
            int made,
            int named,
            int part,
            int notExplained,
            int silent,
            int wrong,
            int wrongCertain) {}

    /** One attempt. {@code judgement} is {@code not-made} without proof. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Attempt(
            String disturbance,
            String load,
            long seed,
            int attempt,
            Proof proof,
            String verdict,
            boolean verdictExpected,
            String cause,
            String confidence,
            List<String> causes,
            String judgement,
            List<String> wrongCertain,
            @Nullable Double stallMs,
            List<AccountEntry> account,
            String runDirectory) {}

    static ForeignDocument of(ForeignMatrix matrix) {
        ForeignMatrix.Score score = matrix.score();
        Map<String, Row> rows = new LinkedHashMap<>();
        matrix.scores().forEach((disturbance, its) -> rows.put(disturbance.name(), row(disturbance, its)));
        Map<String, String> leftOut = new LinkedHashMap<>();
        matrix.leftOut().forEach((disturbance, reason) -> leftOut.put(disturbance.name(), reason));
        return new ForeignDocument(
                matrix.isSuccess(),
                new Total(
                        score.attempts(),
                        score.made(),
                        score.notMade(),
                        score.named(),
                        score.part(),
                        score.notExplained(),
                        score.silent(),
                        score.wrong(),
                        score.unexpectedVerdicts(),
                        Certain.of(score),
                        ForeignMatrix.rounded(score.share(score.named())),
                        ForeignMatrix.rounded(score.share(score.notExplained())),
                        ForeignMatrix.rounded(score.share(score.wrong()))),
                rows,
                matrix.attempts().stream().map(ForeignDocument::attempt).toList(),
                leftOut);
    }

    private static Row row(Disturbance disturbance, ForeignMatrix.Score score) {
        return new Row(
                disturbance.summary(),
                disturbance.target(),
                disturbance.disturbs(),
                disturbance.causes().stream()
                        .map(words -> words.stream().sorted().toList())
                        .toList(),
                disturbance.kinds().stream().sorted().toList(),
                disturbance.verdicts().stream().sorted().toList(),
                score.attempts(),
                score.made(),
                score.named(),
                score.part(),
                score.notExplained(),
                score.silent(),
                score.wrong(),
                score.wrongCertain());
    }

    private static Attempt attempt(ForeignAttempt attempt) {
        Stall stall = attempt.stall();
        return new Attempt(
                attempt.disturbance().name(),
                attempt.load().label(),
                attempt.seed(),
                attempt.number(),
                attempt.proof(),
                attempt.verdict(),
                attempt.isVerdictExpected(),
                attempt.cause(),
                attempt.confidence(),
                attempt.statements().stream()
                        .map(DiagnosisReading.Statement::cause)
                        .toList(),
                ForeignMatrix.word(attempt),
                attempt.wrongCertain().stream()
                        .map(DiagnosisReading.Statement::cause)
                        .toList(),
                stall == null ? null : (Double) stall.durationMs(),
                stall == null ? List.of() : stall.account().entries(),
                attempt.directory().toString());
    }
}
