package org.naklab.lab.workshop.benchmark;

import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.workshop.Answer;
import org.naklab.lab.workshop.AnswerKey;
import org.naklab.lab.workshop.Grade;

/**
 * The score of all answers of one program or person.
 *
 * @param who gave them
 * @param cases of the benchmark
 * @param points sum over all cases
 * @param full sum of what could be earned
 * @param right causes
 * @param wrong causes
 * @param cannotTell answers that name no cause
 * @param missing cases without an answer; they earn nothing
 * @param brier sum of the squared errors of the certainties; lower is better
 */
public record Score(
        String who,
        int cases,
        double points,
        int full,
        int right,
        int wrong,
        int cannotTell,
        int missing,
        double brier) {
    private static final double PERCENT = 100;
    private static final int FULL = 90;

    static Score none(String who) {
        return new Score(who, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    Score plus(AnswerKey key, Answer answer, Grade grade) {
        boolean isOpen = answer.cause().equals(Cause.UNEXPLAINED.label());
        boolean isRight = key.causes().stream().anyMatch(cause -> cause.label().equals(answer.cause()));
        double error = answer.sure() / PERCENT - (isRight ? 1 : 0);
        return new Score(
                who,
                cases + 1,
                points + grade.score(),
                full + grade.full(),
                right + (isRight ? 1 : 0),
                wrong + (isRight || isOpen ? 0 : 1),
                cannotTell + (isOpen ? 1 : 0),
                missing,
                brier + (isOpen ? 0 : error * error));
    }

    Score plusMissing() {
        return new Score(who, cases + 1, points, full + FULL, right, wrong, cannotTell, missing + 1, brier);
    }

    /** Returns the mean of the points, of {@value #FULL}. */
    public double mean() {
        return cases == 0 ? 0 : points / cases;
    }

    /** Returns the mean squared error of the certainties of all answers with a cause, 0 to 1; NaN if there is none. */
    public double meanBrier() {
        return brier / (right + wrong);
    }
}
