package org.naklab.lab.instruments.kernel;

import java.util.Locale;

/** Names where the kernel recorder's records come from, best first. */
public enum RecorderSource {
    /** BPF programs at the scheduler's tracepoints: everything. */
    BPF("BPF programs at kernel tracepoints"),
    /** Polled {@code /proc}: absences to within the polling period, without wakers. */
    PROC("/proc, polled");

    private final String description;

    RecorderSource(String description) {
        this.description = description;
    }

    /** Returns the word of the timeline. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a description for reports. */
    public String description() {
        return description;
    }
}
