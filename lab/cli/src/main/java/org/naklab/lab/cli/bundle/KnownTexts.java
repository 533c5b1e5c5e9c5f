package org.naklab.lab.cli.bundle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds texts that are known, whatever their number: each character of a text is compared with at most {@link #MAX_LENGTH} others. Letters match in either case, except
 * in secrets. One thread.
 */
final class KnownTexts {
    /** Longer texts are found by their beginning alone. */
    static final int MAX_LENGTH = 256;

    private final Node root = new Node();

    /** A text that is looked for, and what it stands for. */
    private record Known(Redaction kind, String spelling, String original) {}

    private static final class Node {
        private final Map<Character, Node> next = new HashMap<>(2);
        private final List<Known> known = new ArrayList<>(1);
    }

    /** A known text that was found. */
    record Found(Redaction kind, String original) {}

    /**
     * Adds a text.
     *
     * @param spelling in which it is looked for
     * @param original which a finding returns
     */
    void add(Redaction kind, String spelling, String original) {
        if (spelling.isEmpty() || spelling.length() > MAX_LENGTH) {
            return;
        }
        Node node = root;
        for (int i = 0; i < spelling.length(); i++) {
            node = node.next.computeIfAbsent(Character.toLowerCase(spelling.charAt(i)), none -> new Node());
        }
        node.known.add(new Known(kind, spelling, original));
        node.known.sort(Comparator.comparing(Known::kind));
    }

    /** Replaces each known text, the longest at each place. */
    String replace(String text, Function<Found, String> replacement) {
        StringBuilder out = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            Known longest = longestAt(text, at);
            if (longest == null) {
                out.append(text.charAt(at++));
            } else {
                out.append(replacement.apply(new Found(longest.kind, longest.original)));
                at += longest.spelling.length();
            }
        }
        return out.toString();
    }

    private @Nullable Known longestAt(String text, int begin) {
        Known longest = null;
        Node node = root;
        for (int at = begin; at < text.length(); ) {
            node = node.next.get(Character.toLowerCase(text.charAt(at++)));
            if (node == null) {
                break;
            }
            for (Known known : node.known) {
                if (fits(known, text, begin, at)) {
                    longest = known;
                    break;
                }
            }
        }
        return longest;
    }

    private static boolean fits(Known known, String text, int begin, int end) {
        return switch (known.kind) {
            case SECRET -> text.startsWith(known.spelling, begin);
            case HOME -> end == text.length() || !(isWord(text.charAt(end)) || text.charAt(end) == '-');
            default ->
                (begin == 0 || !isAlphanumeric(text.charAt(begin - 1)))
                        && (end == text.length() || !isAlphanumeric(text.charAt(end)));
        };
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean isWord(char c) {
        return isAlphanumeric(c) || c == '_';
    }
}
