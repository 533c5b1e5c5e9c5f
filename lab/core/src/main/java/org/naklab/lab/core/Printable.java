package org.naklab.lab.core;

import java.util.Locale;

/**
 * Makes text that others chose (names of threads and functions, paths, answers of other processes) fit to stand in a line of a terminal. Control characters, which
 * could move the cursor, begin a line or colour it, and characters that change the direction of writing or break a line are written as {@code \x1b} and {@code
 * \}{@code u202e}.
 */
public final class Printable {
    private static final int ONE_BYTE = 0x100;

    private Printable() {}

    /** Returns a text without such characters: the same object if it has none. */
    public static String of(String text) {
        return of(text, false);
    }

    /** Returns a text of several lines without such characters, except line feeds. */
    public static String lines(String text) {
        return of(text, true);
    }

    /** Returns how such a character is written. */
    public static String escaped(int character) {
        return String.format(Locale.ROOT, character < ONE_BYTE ? "\\x%02x" : "\\u%04x", character);
    }

    /** Returns whether a character does something other than to be seen. */
    public static boolean isControl(int character) {
        return Character.isISOControl(character)
                || (character >= 0x202a && character <= 0x202e)
                || (character >= 0x2066 && character <= 0x2069)
                || character == 0x200e
                || character == 0x200f
                || character == 0x2028
                || character == 0x2029;
    }

    private static String of(String text, boolean hasLines) {
        int length = text.length();
        int i = 0;
        while (i < length && !isReplaced(text.charAt(i), hasLines)) {
            i++;
        }
        if (i == length) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.substring(0, i));
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (isReplaced(c, hasLines)) {
                printable.append(escaped(c));
            } else {
                printable.append(c);
            }
        }
        return printable.toString();
    }

    private static boolean isReplaced(char c, boolean hasLines) {
        return isControl(c) && !(hasLines && c == '\n');
    }
}
