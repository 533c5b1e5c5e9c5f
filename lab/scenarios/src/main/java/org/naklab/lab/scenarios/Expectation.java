package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.naklab.lab.core.Format;

/**
 * A prediction of a scenario and its verdict for a run.
 *
 * @param kind what is predicted
 * @param about the process or fault that it is predicted of; empty for the whole run
 * @param verdict whether it was so
 * @param figures the figures that say so
 */
@JsonPropertyOrder({"claim", "verdict", "figures"})
public record Expectation(
        @JsonIgnore Claim kind, @JsonIgnore String about, Verdict verdict, String figures) {
    /** Returns the prediction as a sentence without a full stop. */
    @JsonProperty
    public String claim() {
        return kind.text(about);
    }

    /** Returns what was expected and what was found, for a condition that was not met; for one that was, the claim and its figures. */
    public String sentence() {
        return switch (verdict) {
            case PASS -> claim() + ": " + figures;
            case FAIL -> "expected: " + claim() + "; found: " + figures;
            case UNKNOWN -> "not shown: " + claim() + "; known: " + figures;
        };
    }

    public static Expectation of(Claim kind, boolean held, String figures) {
        return of(kind, "", held, figures);
    }

    public static Expectation of(Claim kind, String about, boolean held, String figures) {
        return new Expectation(kind, about, held ? Verdict.PASS : Verdict.FAIL, figures);
    }

    /** Returns a precondition of the prediction: if it is not met, the run is unknown. */
    public static Expectation proven(Claim kind, boolean proven, String figures) {
        return proven(kind, "", proven, figures);
    }

    public static Expectation proven(Claim kind, String about, boolean proven, String figures) {
        return new Expectation(kind, about, proven ? Verdict.PASS : Verdict.UNKNOWN, figures);
    }

    /** Nobody can tell whether it was so. */
    public static Expectation unknown(Claim kind, String about, String why) {
        return new Expectation(kind, about, Verdict.UNKNOWN, why);
    }

    /** Two counts that must be equal. */
    public static Expectation equal(Claim kind, String about, long actual, long expected) {
        String figures = Format.count(actual);
        boolean isEqual = actual == expected;
        return of(kind, about, isEqual, isEqual ? figures : figures + " of " + Format.count(expected));
    }

    /** A count that must be 0. */
    public static Expectation none(Claim kind, String about, long count) {
        return of(kind, about, count == 0, Format.count(count));
    }

    /** Returns this expectation for an inconclusive run: a failure becomes unknown. */
    public Expectation inDoubt() {
        return verdict == Verdict.FAIL ? unknown(kind, about, figures) : this;
    }

    /** Returns this expectation for an unobserved quantity: unknown. */
    Expectation unseen(String why) {
        return unknown(kind, about, why);
    }
}
