package org.naklab.lab.diagnosis;

import java.util.Locale;

/** How sure a diagnosis is. */
public enum Confidence {
    /** The cause was seen, in its place in time, and accounts for nearly all. */
    CERTAIN,
    /** It accounts for most, or a link of the chain was not seen. */
    LIKELY,
    CANNOT_TELL;

    /** As in the report. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
