package org.naklab.lab.core;

import java.util.regex.Pattern;

/** Writes a word of a command so that a POSIX shell reads it as one. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWord() {}

    public static String of(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
