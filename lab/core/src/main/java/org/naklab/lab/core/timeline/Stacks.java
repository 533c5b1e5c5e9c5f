package org.naklab.lab.core.timeline;

import java.util.List;

/** Gives stacks the form that they have in {@code timeline.jsonl}. */
public final class Stacks {
    private static final String BETWEEN = " < ";

    private Stacks() {}

    static String join(List<String> functions) {
        return String.join(BETWEEN, functions);
    }

    /** Returns the functions of a stack, innermost first. */
    public static List<String> split(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(BETWEEN));
    }
}
