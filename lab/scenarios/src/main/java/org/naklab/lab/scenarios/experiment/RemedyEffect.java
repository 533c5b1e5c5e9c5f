package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.annotation.JsonValue;

/** The observed effect of a remedy on the stall. */
public enum RemedyEffect {
    REMOVES_THE_CAUSE("removes the cause"),
    /** The thread still stalls, but nothing is lost: latency suffers all the same. */
    HIDES_THE_SYMPTOM("hides the symptom"),
    DOES_NOT_HELP("does not help"),
    NOT_KNOWN("not known");

    private final String label;

    RemedyEffect(String label) {
        this.label = label;
    }

    static RemedyEffect of(int runs, long stalls, long naks) {
        if (runs == 0) {
            return NOT_KNOWN;
        }
        if (naks > 0) {
            return DOES_NOT_HELP;
        }
        return stalls == 0 ? REMOVES_THE_CAUSE : HIDES_THE_SYMPTOM;
    }

    @JsonValue
    public String label() {
        return label;
    }
}
