package org.naklab.lab.workshop;

import java.util.Locale;
import org.naklab.lab.core.Units;

/** Figures in words. */
final class Words {
    private Words() {}

    /** Returns a time since the begin of a case. */
    static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.4f", ns / Units.NS_PER_S);
    }

    /** Returns text of at most so many characters. */
    static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
