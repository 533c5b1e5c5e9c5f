package org.naklab.lab.workshop.benchmark;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.AnswerKey;
import org.naklab.lab.workshop.Grade;

/**
 * The score of all answers of one program or person.
 *
 * @param who gave them
 * @param brier sum of the squared errors of the certainties; lower is better
 */
public record Score(
        String who,
        @JsonUnwrapped Total total,
        @JsonUnwrapped Answers answers,
        double brier) {
    /**
     * Contains the sums.
     *
     * @param cases of the benchmark
     * @param points sum over all cases
     * @param full sum of what could be earned
     */
    public record Total(int cases, double points, int full) {}

    /**
     * Counts the answers.
     *
     * @param right causes
     * @param wrong causes
     * @param cannotTell answers that name no cause
     * @param missing cases without an answer; they earn nothing
     */
    public record Answers(int right, int wrong, int cannotTell, int missing) {}

    private static final double PERCENT = 100;
    private static final int FULL = 90;

    static Score none(String who) {
        return new Score(who, new Score.Total(0, 0, 0), new Score.Answers(0, 0, 0, 0), 0);
    }

    Score plus(AnswerKey key, Answer answer, Grade grade) {
        boolean isOpen = answer.cause().equals(Cause.UNEXPLAINED.label());
        boolean isRight = key.causes().stream().anyMatch(cause -> cause.label().equals(answer.cause()));
        double error = answer.sure() / PERCENT - (isRight ? 1 : 0);
        return new Score(
                who,
                new Score.Total(total.cases() + 1, total.points() + grade.score(), total.full() + grade.full()),
                new Score.Answers(
                        answers.right() + (isRight ? 1 : 0),
                        answers.wrong() + (isRight || isOpen ? 0 : 1),
                        answers.cannotTell() + (isOpen ? 1 : 0),
                        answers.missing()),
                brier + (isOpen ? 0 : error * error));
    }

    Score plusMissing() {
        return new Score(
                who,
                new Score.Total(total.cases() + 1, total.points(), total.full() + FULL),
                new Score.Answers(answers.right(), answers.wrong(), answers.cannotTell(), answers.missing() + 1),
                brier);
    }

    /** Returns the mean of the points, of {@value #FULL}. */
    public double mean() {
        return total.cases() == 0 ? 0 : total.points() / total.cases();
    }

    /** Returns the mean squared error of the certainties of all answers with a cause, 0 to 1; NaN if there is none. */
    public double meanBrier() {
        return brier / (answers.right() + answers.wrong());
    }
}
