package org.naklab.lab.cli.bundle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognises words that look as if they were made at random, as keys are. */
final class RandomWords {
    private static final Pattern WORD = Pattern.compile("(?<![\\w+/=.$-])[\\w+/=-]{32,200}+(?![\\w+/=.$-])");

    /** Names of functions have less in each character; digests in hexadecimal have at most 4. */
    private static final double MIN_BITS = 4.4;

    private RandomWords() {}

    static int count(String text) {
        int count = 0;
        Matcher words = WORD.matcher(text);
        while (words.find()) {
            count += isRandom(words.group()) ? 1 : 0;
        }
        return count;
    }

    private static boolean isRandom(String word) {
        boolean isMixed = word.chars().anyMatch(Character::isDigit)
                && word.chars().anyMatch(Character::isUpperCase)
                && word.chars().anyMatch(Character::isLowerCase);
        return isMixed && !word.startsWith("_Z") && bits(word) >= MIN_BITS;
    }

    /** Returns the entropy of a word's characters. */
    private static double bits(String word) {
        return word.chars()
                .distinct()
                .mapToDouble(
                        c -> (double) word.chars().filter(other -> other == c).count() / word.length())
                .map(share -> -share * Math.log(share) / Math.log(2))
                .sum();
    }
}
