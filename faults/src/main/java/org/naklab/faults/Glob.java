package org.naklab.faults;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code *} for any characters. */
final class Glob {
    private Glob() {}

    static boolean matches(String glob, String name) {
        String pattern =
                Arrays.stream(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.matches(pattern, name);
    }
}
