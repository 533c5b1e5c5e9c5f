package org.naklab.faults.description;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/** Finds what a misspelt word may have been meant to be. */
public final class Spelling {
    /** A word with more mistakes than one in so many letters was not misspelt but is another one. */
    private static final int LETTERS_PER_MISTAKE = 3;

    private Spelling() {}

    /** Returns {@code "; did you mean X?"} with the nearest of the words, or, if none is near, {@code "; there are: …"}. */
    public static String hint(String word, Collection<String> known) {
        if (known.isEmpty()) {
            return "; there are none";
        }
        return known.stream()
                .filter(each -> distance(word, each)
                        <= Math.max(1, Math.max(word.length(), each.length()) / LETTERS_PER_MISTAKE))
                .min(Comparator.comparingInt(each -> distance(word, each)))
                .map(each -> "; did you mean " + each + "?")
                .orElseGet(() -> "; there are: " + String.join(", ", known));
    }

    /** Returns how many letters must be added, removed, changed or swapped to make one word of the other; case does not count. */
    private static int distance(String one, String other) {
        String left = one.toLowerCase(Locale.ROOT);
        String right = other.toLowerCase(Locale.ROOT);
        int[] beforeFormer = new int[0];
        int[] former = IntStream.rangeClosed(0, right.length()).toArray();
        for (int i = 1; i <= left.length(); i++) {
            int[] row = new int[right.length() + 1];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int change = former[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(former[j], row[j - 1]));
                if (i > 1 && j > 1 && isSwapped(left, i, right, j)) {
                    row[j] = Math.min(row[j], 1 + beforeFormer[j - 2]);
                }
            }
            beforeFormer = former;
            former = row;
        }
        return former[right.length()];
    }

    private static boolean isSwapped(String left, int i, String right, int j) {
        return left.charAt(i - 1) == right.charAt(j - 2) && left.charAt(i - 2) == right.charAt(j - 1);
    }
}
