package org.naklab.lab.core.experiment;

import com.fasterxml.jackson.annotation.JsonValue;

/** Tells what an experiment found out about an arm; the labels are the words of tables, pages and documents. */
public enum Answer {
    /** Others are compared with it. */
    REFERENCE("reference", Meaning.NEUTRAL),
    NO_DIFFERENCE("no difference", Meaning.NEUTRAL),
    NOT_ENOUGH_RUNS("not enough runs", Meaning.DOUBT),

    HELPS("helps", Meaning.GOOD),
    HURTS("hurts", Meaning.BAD),
    /** What the arm sets was not found in the measured process. */
    NOT_IN_EFFECT("not in effect", Meaning.DOUBT),
    /** Run after run of the arm, or of the default, failed. */
    FAILED("failed", Meaning.DOUBT),

    LESS_OFTEN("less often", Meaning.NEUTRAL),
    MORE_OFTEN("more often", Meaning.NEUTRAL),

    /** The intervals of both arms do not overlap, and that of this arm is lower. */
    FEWER("fewer", Meaning.GOOD),
    /** The same, higher. */
    MORE("more", Meaning.BAD),
    /** The intervals overlap. */
    NO_DIFFERENCE_SEEN("no-difference-seen", Meaning.NEUTRAL),

    REMOVES_THE_CAUSE("removes the cause", Meaning.GOOD),
    /** The thread still stalls, but nothing is lost: latency suffers all the same. */
    HIDES_THE_SYMPTOM("hides the symptom", Meaning.DOUBT),
    DOES_NOT_HELP("does not help", Meaning.BAD),
    NOT_KNOWN("not known", Meaning.DOUBT);

    private final String label;
    private final Meaning meaning;

    /** Tells how to take an answer; it is the same for all experiments. */
    public enum Meaning {
        GOOD("good"),
        BAD("bad"),
        NEUTRAL(""),
        /** There is no answer yet, or one that settles nothing. */
        DOUBT("doubt");

        private final String style;

        Meaning(String style) {
            this.style = style;
        }

        /** Returns the style class of pages; empty: none. */
        public String style() {
            return style;
        }
    }

    Answer(String label, Meaning meaning) {
        this.label = label;
        this.meaning = meaning;
    }

    public Meaning meaning() {
        return meaning;
    }

    @JsonValue
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }
}
