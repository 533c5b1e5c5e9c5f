package org.naklab.lab.diagnosis;

import org.naklab.lab.core.Format;

/**
 * One of the causes that a diagnosis names, with the harm that it did.
 *
 * @param process that it befell
 * @param thread that stalled; empty if none did
 * @param atNs when it began, on the clock of the timeline
 * @param durationMs how long it took effect, in total, each moment once: stalls, silences, bursts, a full ring, the time from the end of a process; 0 if that is unknown
 * @param lostDatagrams at least so many were lost to it
 */
public record NamedCause(
        Cause cause,
        Confidence confidence,
        String process,
        String thread,
        long atNs,
        double durationMs,
        long lostDatagrams,
        String remedy) {
    /** Returns the cause, where it was found, and the harm, in one line. */
    public String sentence() {
        String harm = lostDatagrams == 0 ? "" : ", at least " + Format.count(lostDatagrams) + " datagrams lost";
        return cause + " at " + process + " (" + confidence.label() + ")" + harm;
    }
}
