package org.naklab.lab.tools.tune;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Experiments that compare no arms: each has a command of its own. */
public enum SeparateBench {
    BUFFERS("the smallest receive buffer that survives a stall, against the arithmetic", "bench buffers");

    private final String summary;
    private final String command;

    SeparateBench(String summary, String command) {
        this.summary = summary;
        this.command = command;
    }

    /** Returns the word of the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what is measured. */
    public String summary() {
        return summary;
    }

    /** Returns the command that measures it, without the name of the program. */
    public String command() {
        return command;
    }

    /** Returns the one with this label; empty if there is none. */
    public static Optional<SeparateBench> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }
}
