package org.naklab.lab.scenarios.convoy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * Tells what a writer has done, by its own clock.
 *
 * @param name of the writer
 */
public record WriterReport(
        String name,
        @JsonUnwrapped Calls calls,
        @JsonUnwrapped Times times) {
    /**
     * Counts the calls.
     *
     * @param plain cases that need no lock
     * @param snapshots cases that need the lock
     * @param locks how often it took the lock
     */
    public record Calls(long plain, long snapshots, long locks) {}

    /**
     * Contains the times, ns.
     *
     * @param plainNs response time of the plain cases, from {@code poll} to the end, with the wait for the lock
     * @param snapshotNs the same of the snapshots
     * @param handlingNs response time of all cases without the wait for the lock
     * @param elapsedNs from the first case to the last one
     * @param cpuNs time of its thread on a processor
     */
    public record Times(long plainNs, long snapshotNs, long handlingNs, long elapsedNs, long cpuNs) {}

    long cases() {
        return calls.plain() + calls.snapshots();
    }
}
