package org.naklab.lab.scenario;

import org.naklab.lab.Figures;

/**
 * One thing that a scenario predicts, held against a run.
 *
 * @param claim what is predicted, as a sentence without a full stop
 * @param verdict whether it was so
 * @param figures the figures that say so
 */
public record Condition(String claim, Verdict verdict, String figures) {
    public static Condition of(String claim, boolean held, String figures) {
        return new Condition(claim, held ? Verdict.PASS : Verdict.FAIL, figures);
    }

    /** The same where it was not put to the test: what failed is not known to have failed. */
    Condition inDoubt() {
        return verdict == Verdict.FAIL ? new Condition(claim, Verdict.UNKNOWN, figures) : this;
    }

    /** The same where nobody looked: neither held nor failed. */
    Condition unseen(String why) {
        return new Condition(claim, Verdict.UNKNOWN, why);
    }

    /** Two counts that must be equal. */
    public static Condition equal(String claim, long actual, long expected) {
        String figures = Figures.count(actual);
        return of(claim, actual == expected, actual == expected ? figures : figures + " of " + Figures.count(expected));
    }

    /** A count that must be 0. */
    public static Condition none(String claim, long count) {
        return of(claim, count == 0, Figures.count(count));
    }
}
