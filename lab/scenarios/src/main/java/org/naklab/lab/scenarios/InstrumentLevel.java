package org.naklab.lab.scenarios;

import java.util.Locale;

/** Tells how much of a run is observed. */
public enum InstrumentLevel {
    /** No instrument looks. The processes still count by themselves what they lost. */
    NONE,
    /** All instruments of a run. */
    NORMAL,
    /** In addition, the kernel's record of each absence, page fault and interrupt of 10 µs and longer of all threads, and the kernel's trace of the worst incident. */
    FULL;

    /** Returns the word of the command line and of the documents. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return label();
    }
}
