package org.naklab.lab.terminal;

import org.jspecify.annotations.Nullable;

/** Says when output has colours. */
public enum Colour {
    /** On a terminal, unless the environment variable NO_COLOR is set and not empty. */
    AUTO,
    ALWAYS,
    NEVER;

    /** @param noColour the environment variable NO_COLOR; may be {@code null} */
    boolean isOn(boolean isTerminal, @Nullable String noColour) {
        return switch (this) {
            case AUTO -> isTerminal && (noColour == null || noColour.isEmpty());
            case ALWAYS -> true;
            case NEVER -> false;
        };
    }
}
