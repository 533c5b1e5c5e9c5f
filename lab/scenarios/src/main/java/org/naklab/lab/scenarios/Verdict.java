package org.naklab.lab.scenarios;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result of a run with respect to its scenario's prediction, from best to worst. */
public enum Verdict {
    /** The prediction was observed. */
    PASS(0),
    /** An instrument was blind, a fault did not fire, or the run could not be finished. */
    UNKNOWN(2),
    /** Something else than the prediction was seen. */
    FAIL(1);

    private final int exitCode;

    Verdict(int exitCode) {
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the verdict with a label; empty if there is none. */
    public static Optional<Verdict> labelled(@Nullable String label) {
        return Arrays.stream(values())
                .filter(verdict -> verdict.label().equals(label))
                .findFirst();
    }

    /** One failure settles it; without one, one doubt does. Nothing checked is a doubt. */
    public static Verdict of(Collection<Verdict> verdicts) {
        return verdicts.stream().max(Enum::compareTo).orElse(UNKNOWN);
    }
}
