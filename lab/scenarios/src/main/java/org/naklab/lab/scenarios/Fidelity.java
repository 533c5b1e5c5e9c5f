package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The degree of realism of a scenario's stall, weakest to strongest. A run never claims more than it used. */
public enum Fidelity {
    /** No stall is made: the scenario injects none, so there is nothing to be true to. */
    NONE,
    /** The yield strategy parks. Any operating system. */
    SIMULATED,
    /** True lazy binding; an rtld-audit library delays the bind. Linux with glibc. */
    AUDITED,
    /** True lazy binding; pages evicted on demand, reads throttled. */
    EVICTED,
    /** A memory limit, the journal's own pressure, reads throttled; nothing forced. */
    NATURAL;

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
