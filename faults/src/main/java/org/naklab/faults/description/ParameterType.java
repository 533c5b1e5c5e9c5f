package org.naklab.faults.description;

import java.util.Locale;

/** Types of parameters: each says how a value is written on the command line. */
public enum ParameterType {
    /** Any words, taken literally. */
    TEXT,
    /** A whole number. */
    COUNT,
    /** From 0 to 1, or a percentage such as 1%. */
    PROBABILITY,
    /** From 0 to 100, with or without a percent sign. */
    PERCENT,
    /** {@code true} or {@code false}. */
    SWITCH,
    /** A number and a unit: ns, us, ms, s, m or h. */
    DURATION,
    /** A number and a unit: B, KiB, MiB or GiB. */
    SIZE,
    /** Words, separated by slashes. */
    WORDS,
    /** Ranges of numbers, each FIRST+COUNT, separated by slashes. */
    GAPS;

    /** Returns the name in JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
