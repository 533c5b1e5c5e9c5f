package org.naklab.lab.tools.tune;

import com.fasterxml.jackson.annotation.JsonValue;

/** The answer to the question whether an arm is better than the control. */
public enum Answer {
    HELPS("helps"),
    NO_DIFFERENCE("no difference"),
    HURTS("hurts"),
    NOT_ENOUGH_RUNS("not enough runs"),
    /** What the arm sets was not found in the measured process. */
    NOT_IN_EFFECT("not in effect"),
    /** Run after run of the arm, or of the default, failed. */
    FAILED("failed");

    private final String label;

    Answer(String label) {
        this.label = label;
    }

    /**
     * Judges an interval.
     *
     * @param effect relative; above 0 the arm is better
     * @param margin effects smaller than this do not matter
     */
    public static Answer of(AnytimeInterval effect, double margin) {
        if (effect.low() > -margin && effect.high() < margin) {
            return NO_DIFFERENCE;
        }
        if (effect.low() > 0) {
            return HELPS;
        }
        return effect.high() < 0 ? HURTS : NOT_ENOUGH_RUNS;
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
