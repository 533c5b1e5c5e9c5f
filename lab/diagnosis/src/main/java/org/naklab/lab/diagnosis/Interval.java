package org.naklab.lab.diagnosis;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.naklab.lab.core.timeline.TimelineEvent;

/** A stretch of time, CLOCK_MONOTONIC, ns. */
record Interval(long beginNs, long endNs) {
    private static final double NS_PER_MS = 1e6;
    private static final List<String> LENGTHS_NS = List.of("durationNs", "latenessNs", "delayNs");

    /** What an event covers; without a length of its own, an instant. Events that tell of an end reach back from it. */
    static Interval of(TimelineEvent event) {
        long beganNs = event.longDetail("beganNs", Long.MIN_VALUE);
        if (beganNs != Long.MIN_VALUE) {
            return new Interval(beganNs, event.timeNs());
        }
        long lengthNs = LENGTHS_NS.stream()
                .mapToLong(key -> event.longDetail(key, 0))
                .max()
                .orElse(0);
        if (event.detail("durationMs") instanceof Number ms) {
            lengthNs = Math.max(lengthNs, (long) (ms.doubleValue() * NS_PER_MS));
        }
        return new Interval(event.timeNs(), event.timeNs() + lengthNs);
    }

    long lengthNs() {
        return endNs - beginNs;
    }

    double lengthMs() {
        return lengthNs() / NS_PER_MS;
    }

    boolean contains(long timeNs) {
        return timeNs - beginNs >= 0 && endNs - timeNs >= 0;
    }

    /** What both cover, if they touch. */
    Optional<Interval> within(Interval other) {
        Interval both = new Interval(Math.max(beginNs, other.beginNs), Math.min(endNs, other.endNs));
        return both.lengthNs() > 0 ? Optional.of(both) : Optional.empty();
    }

    /** The same, so much longer at both ends. */
    Interval widened(long byNs) {
        return new Interval(beginNs - byNs, endNs + byNs);
    }

    /** How much of this the others cover together, from 0 to 1; overlaps count once. */
    double coveredBy(Collection<Interval> others) {
        if (lengthNs() <= 0) {
            return 0;
        }
        long coveredNs = 0;
        long reachedNs = beginNs;
        for (Interval other : others.stream()
                .sorted(Comparator.comparingLong(Interval::beginNs))
                .toList()) {
            long fromNs = Math.max(reachedNs, other.beginNs);
            long toNs = Math.min(endNs, other.endNs);
            if (toNs > fromNs) {
                coveredNs += toNs - fromNs;
                reachedNs = toNs;
            }
        }
        return (double) coveredNs / lengthNs();
    }
}
