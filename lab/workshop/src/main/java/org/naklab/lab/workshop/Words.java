package org.naklab.lab.workshop;

import java.util.Locale;

/** Figures in words. */
final class Words {
    private static final double NS_PER_SECOND = 1e9;

    private Words() {}

    /** Returns a time since the begin of a case. */
    static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.4f", ns / NS_PER_SECOND);
    }

    /** Returns text of at most so many characters. */
    static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
