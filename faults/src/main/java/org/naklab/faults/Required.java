package org.naklab.faults;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Parameters that have no default. */
public final class Required {
    private Required() {}

    public static void text(String name, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new FaultException(name + " is missing");
        }
    }

    static void any(String names, Collection<Boolean> given) {
        if (!given.contains(true)) {
            throw new FaultException("one of " + names + " must be given");
        }
    }
}
