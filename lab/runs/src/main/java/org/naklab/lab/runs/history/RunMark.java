package org.naklab.lab.runs.history;

import java.util.Locale;

/** Tells how the calendar marks a run: by its verdict, with a sign and a form as well as a colour. */
public enum RunMark {
    PASS('\u2713', 'P', "pass: as predicted"),
    FAIL('\u2717', 'F', "fail: not as predicted"),
    /** A run without a verdict proves nothing and counts for nothing. */
    UNKNOWN('?', '?', "unknown: no verdict, the run proved nothing and is not counted");

    private final char sign;
    private final char letter;
    private final String meaning;

    RunMark(char sign, char letter, String meaning) {
        this.sign = sign;
        this.letter = letter;
        this.meaning = meaning;
    }

    static RunMark of(String verdict) {
        return switch (verdict) {
            case "pass" -> PASS;
            case "fail" -> FAIL;
            default -> UNKNOWN;
        };
    }

    /** Returns the sign of a page. */
    public char sign() {
        return sign;
    }

    /** Returns the letter of a terminal, which may lack the sign. */
    public char letter() {
        return letter;
    }

    /** Returns the meaning, for a legend. */
    public String meaning() {
        return meaning;
    }

    /** Returns the name in lower case, which is also its style class. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
