package org.naklab.lab.studies.foreign;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The receiver that is disturbed while the lab observes it. */
public enum Target {
    /** A run of the lab's own service. */
    RUN,
    /** A receiver that the script brings along, with its sender; {@code naklab watch} observes it. */
    WATCH;

    /** Returns the word of the header and of the JSON document. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the target of that word; empty if there is none. */
    static Optional<Target> of(String label) {
        return Arrays.stream(values())
                .filter(target -> target.label().equals(label))
                .findFirst();
    }
}
