package org.naklab.lab.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Breaks text at spaces, so that a terminal need not break it within words. */
public final class TextWrap {
    private TextWrap() {}

    /**
     * Returns the lines of a text that is wrapped between words.
     *
     * @param width of a line; a longer word has its own, uncut
     */
    public static List<String> lines(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** A head, and beside it the text, every line of it. */
    public static List<String> hanging(String head, String text, int columns) {
        List<String> lines = new ArrayList<>(lines(text, columns - head.length()));
        String indent = " ".repeat(head.length());
        lines.replaceAll(indent::concat);
        lines.set(0, head + lines.get(0).substring(head.length()));
        return lines;
    }
}
