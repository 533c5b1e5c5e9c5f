package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The remedies against the stall. */
public enum Remedy {
    NONE,
    /** {@code LD_BIND_NOW=1}: every symbol is bound when its library is loaded. */
    BIND_NOW,
    /** Pages are touched and locked in memory beforehand. */
    PRE_TOUCH,
    /** The service paces itself, so that the transport's limiter never trips. */
    APPLICATION_RATE_LIMIT,
    /** The context thread does not yield when a wake-up fails. */
    NO_YIELD,
    OWN_CONTEXT,
    /** The journal keeps out of the page cache. */
    POLITE_JOURNAL,
    /** A receive buffer that holds what arrives during the stall: hides the symptom. */
    BIGGER_BUFFER,
    /** The lock is taken in the one branch that needs it. */
    NARROW_LOCK;

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return label();
    }
}
