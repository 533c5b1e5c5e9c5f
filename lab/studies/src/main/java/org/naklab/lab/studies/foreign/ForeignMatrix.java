package org.naklab.lab.studies.foreign;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.naklab.lab.core.Json;

/** The attempts of a {@link ForeignExperiment} and their score. For use by one thread. */
public final class ForeignMatrix {
    /** The share of the made disturbances that a successful experiment names. */
    private static final double LEAST_NAMED = 0.95;

    private final List<ForeignAttempt> attempts = new ArrayList<>();
    private final Map<Disturbance, String> leftOut = new LinkedHashMap<>();

    /**
     * Counts of some attempts.
     *
     * @param unexpectedVerdicts runs with a made disturbance and a verdict that the disturbance does not allow
     */
    public record Score(Tries tries, Results results, Sure sure, int unexpectedVerdicts) {
        /**
         * Counts the attempts.
         *
         * @param attempts all, whether the disturbance was made or not
         * @param made those whose disturbance was made: the sum of the next five
         */
        public record Tries(int attempts, int made) {}

        /** Counts the diagnoses. */
        public record Results(int named, int part, int notExplained, int silent, int wrong) {}

        /**
         * Counts the statements that are certain.
         *
         * @param certain judged statements with confidence {@code certain}
         */
        public record Sure(int certain, int wrongCertain) {}

        static Score of(List<ForeignAttempt> attempts) {
            List<ForeignAttempt> made =
                    attempts.stream().filter(ForeignAttempt::isMade).toList();
            return new Score(
                    new Score.Tries(attempts.size(), made.size()),
                    new Score.Results(
                            count(made, Judgement.NAMED),
                            count(made, Judgement.PART),
                            count(made, Judgement.NOT_EXPLAINED),
                            count(made, Judgement.SILENT),
                            count(made, Judgement.WRONG)),
                    new Score.Sure(
                            made.stream()
                                    .mapToInt(each -> each.diagnosed().certain().size())
                                    .sum(),
                            made.stream()
                                    .mapToInt(each ->
                                            each.diagnosed().wrongCertain().size())
                                    .sum()),
                    Math.toIntExact(made.stream()
                            .filter(each -> !each.isVerdictExpected())
                            .count()));
        }

        private static int count(List<ForeignAttempt> made, Judgement judgement) {
            return Math.toIntExact(made.stream()
                    .filter(each -> each.diagnosed().judgement() == judgement)
                    .count());
        }

        /** Returns the number of attempts whose disturbance was not made. */
        public int notMade() {
            return tries.attempts() - tries.made();
        }

        /** Returns the statements with confidence {@code certain} that are right. */
        public int rightCertain() {
            return sure.certain() - sure.wrongCertain();
        }

        /** Returns a count's share of the made disturbances, from 0 to 1; 0 if none was made. */
        public double share(int count) {
            return tries.made() == 0 ? 0 : (double) count / tries.made();
        }
    }

    /** Adds an attempt, whether the disturbance was made or not. */
    void add(ForeignAttempt attempt) {
        attempts.add(attempt);
    }

    /** Adds a disturbance that cannot be made here, with the reason. */
    void leaveOut(Disturbance disturbance, String reason) {
        leftOut.put(disturbance, reason);
    }

    /** Returns all attempts, in their order. */
    public List<ForeignAttempt> attempts() {
        return attempts;
    }

    /** Returns the disturbances that cannot be made on this machine, with the reason. */
    public Map<Disturbance, String> leftOut() {
        return leftOut;
    }

    /** Returns the score of all attempts. */
    public Score score() {
        return Score.of(attempts);
    }

    /** Returns the score of each disturbance, in their order. */
    public Map<Disturbance, Score> scores() {
        Map<Disturbance, List<ForeignAttempt>> each = new LinkedHashMap<>();
        attempts.forEach(attempt -> each.computeIfAbsent(attempt.trial().disturbance(), key -> new ArrayList<>())
                .add(attempt));
        Map<Disturbance, Score> scores = new LinkedHashMap<>();
        each.forEach((disturbance, its) -> scores.put(disturbance, Score.of(its)));
        return scores;
    }

    /** Returns true if no disturbance was left without a made attempt. */
    private boolean isComplete() {
        return scores().values().stream().allMatch(score -> score.tries().made() > 0);
    }

    /**
     * Returns true if every disturbance was made at least once, no statement with confidence {@code certain} was wrong, nine tenths of the
     * made disturbances were named, the rest is not explained with its account shown, and no verdict contradicts its disturbance.
     */
    public boolean isSuccess() {
        Score score = score();
        return score.tries().made() > 0
                && isComplete()
                && score.sure().wrongCertain() == 0
                && score.share(score.results().named()) >= LEAST_NAMED
                && score.results().wrong() + score.results().silent() == 0
                && score.unexpectedVerdicts() == 0;
    }

    /** Returns the document of {@code --json}. */
    public String text() {
        return Json.pretty(ForeignDocument.of(this));
    }

    /** Returns a rounded share for the document, from 0 to 1. */
    static double rounded(double share) {
        return Math.round(share * 1e4) / 1e4;
    }

    /** Returns the judgement's word; {@code not-made} for an attempt without one. */
    public static String word(ForeignAttempt attempt) {
        return attempt.isMade()
                ? Objects.requireNonNull(attempt.diagnosed().judgement()).label()
                : "not-made";
    }
}
