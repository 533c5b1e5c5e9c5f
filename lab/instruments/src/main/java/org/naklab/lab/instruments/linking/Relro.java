package org.naklab.lab.instruments.linking;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Says how much of a library's relocated data is read-only after it was loaded. */
public enum Relro {
    /** Nothing is. */
    NONE,
    /** All but the table of the functions, which the dynamic linker writes at each bind. */
    PARTIAL,
    /** All of it: nothing is bound later. */
    FULL;

    /** Returns the word of the documents. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
