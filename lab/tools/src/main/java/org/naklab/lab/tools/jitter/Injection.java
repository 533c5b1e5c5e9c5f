package org.naklab.lab.tools.jitter;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.naklab.lab.tools.jitter.reason.Part;
import org.naklab.lab.tools.jitter.reason.Reason;

/**
 * Pauses that are made on purpose, to see whether the meter finds them and names the right reason.
 *
 * @param kind how
 * @param lengthNs of each pause, ns
 */
public record Injection(Kind kind, long lengthNs) {
    /** Injects nothing. */
    public static final Injection NONE = new Injection(Kind.NONE, 0);

    /** Ways to stop the threads of the meter. */
    public enum Kind {
        /** No pauses. */
        NONE,
        /** A VM operation of the meter's JVM, for which one of its threads is late. */
        SAFEPOINT,
        /** A thread of real-time priority on the CPU of the receiving thread. */
        PREEMPTION,
        /** SIGSTOP to the meter's process, and SIGCONT. */
        STOP;

        /** Returns the word of the command line. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the kind with that word; empty if there is none that injects. */
        public static Optional<Kind> of(String label) {
            return Arrays.stream(values())
                    .filter(kind -> kind != NONE && kind.label().equals(label))
                    .findFirst();
        }
    }

    /** Returns whether a part of a pause is what this makes. */
    boolean makes(Part part) {
        return switch (kind) {
            case SAFEPOINT -> part.reason() == Reason.SAFEPOINT;
            case PREEMPTION ->
                part.reason() == Reason.RUN_QUEUE && part.detail().equals(Pauses.THREAD);
            case STOP -> part.reason() == Reason.STOPPED;
            case NONE -> false;
        };
    }
}
