package org.naklab.lab.runs.history.detail;

/** Cuts texts to what a page or a table has a place for: a word, not a book. */
public final class KeptText {
    /** Maximum length of a name, such as that of a scenario. */
    public static final int MAX_NAME_CHARS = 200;

    private KeptText() {}

    /** Returns a name that fits, as {@link #cut}. */
    public static String name(String text) {
        return cut(text, MAX_NAME_CHARS);
    }

    /** Returns a text that fits; neither database keeps a character 0. */
    public static String cut(String text, int maxChars) {
        String kept = text.replace('\0', '?');
        return kept.length() <= maxChars ? kept : kept.substring(0, maxChars) + "…";
    }
}
