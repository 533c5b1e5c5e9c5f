package org.naklab.lab.scenarios;

import java.util.Locale;

/**
 * A claim of scenarios about a run. Each class that makes conditions lists its claims in an enum of its own; no other type
 * implements this interface. For every claim a test breaks a run in exactly that respect and requires a verdict other than PASS: see
 * the mutations of the verdict in CONTRIBUTING.md.
 */
public interface Claim {
    /** The enum constant's, for tests and messages. */
    String name();

    /** A sentence without a full stop; {@code %s} stands for whom or what a condition is about. */
    String template();

    /** The sentence about one process, fault or the like; the template itself where it is about the whole run. */
    default String text(String about) {
        return String.format(Locale.ROOT, template(), about);
    }
}
