package org.naklab.lab.diagnosis;

import java.util.Locale;

/** The confidence of a diagnosis. */
public enum Confidence {
    /** The cause was seen, in its place in time, and accounts for nearly all. */
    CERTAIN,
    /** The cause accounts for most of the stall, or a link of the chain was not observed. */
    LIKELY,
    CANNOT_TELL;

    /** Returns the label of the report. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
