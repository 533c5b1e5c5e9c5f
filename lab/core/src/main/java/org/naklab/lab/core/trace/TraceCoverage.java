package org.naklab.lab.core.trace;

import java.util.List;
import org.naklab.lab.core.timeline.Interval;

/**
 * Tells how much of an incident a trace has. The ring of a CPU has what came since its oldest event, until all rings were stopped.
 *
 * @param incident the whole of it, longer than an instant
 * @param held what the ring of the CPU has, whether or not it was then
 */
public record TraceCoverage(Interval incident, Interval held) {
    /** With less, what was drawn would say nothing of the incident as a whole. */
    private static final double LEAST_SHARE = 0.1;

    private static final double MOST_OF_IT = 0.9;

    /**
     * Returns the coverage of an incident on one CPU.
     *
     * @param lines of all CPUs, by time
     * @param stoppedNs when the rings no longer recorded
     */
    public static TraceCoverage of(List<TraceLine> lines, int cpu, Interval incident, long stoppedNs) {
        long oldestNs = lines.stream()
                .filter(line -> line.cpu() == cpu)
                .mapToLong(TraceLine::timeNs)
                .findFirst()
                .orElse(stoppedNs);
        return new TraceCoverage(incident, new Interval(Math.min(oldestNs, stoppedNs), stoppedNs));
    }

    /** Returns for how much of the incident the trace has what ran, ns. */
    public long coveredNs() {
        return incident.intersection(held).map(Interval::lengthNs).orElse(0L);
    }

    /** Returns which part of the incident the trace has, 0 to 1. */
    public double share() {
        return (double) coveredNs() / incident.lengthNs();
    }

    /** Returns whether the trace has enough of the incident to tell what ran in it. */
    public boolean isEnough() {
        return share() >= LEAST_SHARE;
    }

    /** Returns whether the trace has the incident, but for a small part of it. */
    public boolean isNearlyAll() {
        return share() >= MOST_OF_IT;
    }

    /** Returns the time of the incident before the oldest event, ns; 0 if there is none. */
    public long missedBeforeNs() {
        return Math.min(incident.lengthNs(), Math.max(0, held.beginNs() - incident.beginNs()));
    }

    /** Returns the time of the incident after the stop, ns; 0 if there is none. */
    public long missedAfterNs() {
        return Math.min(incident.lengthNs(), Math.max(0, incident.endNs() - held.endNs()));
    }
}
