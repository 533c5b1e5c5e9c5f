package org.naklab.lab.cli.bundle;

import java.util.Locale;

/** The kinds of text that a bundle must not contain. */
enum Redaction {
    SECRET,
    HOME,
    MAIL,
    HOST,
    USER,
    ADDRESS,
    HARDWARE_ADDRESS;

    /** Returns what stands for the n-th original of this kind. */
    String placeholder(int number) {
        return "redacted-" + label() + '-' + number;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
