package org.naklab.lab.core.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.naklab.lab.core.Units;

/**
 * A stretch of time, CLOCK_MONOTONIC, ns.
 *
 * @param endNs not before the begin; the same: an instant
 */
public record Interval(long beginNs, long endNs) {
    /** Returns how long it lasts, ns. */
    public long lengthNs() {
        return endNs - beginNs;
    }

    /** Returns how long it lasts, ms. */
    public double lengthMs() {
        return lengthNs() / Units.NS_PER_MS;
    }

    /** Returns whether a time lies in it, both ends included. */
    public boolean contains(long timeNs) {
        return timeNs - beginNs >= 0 && endNs - timeNs >= 0;
    }

    /** Returns whether both cover some of the same time; to touch is not enough. */
    public boolean overlaps(Interval other) {
        return intersection(other).isPresent();
    }

    /** Returns what both cover, if they overlap; to touch is not enough. */
    public Optional<Interval> intersection(Interval other) {
        Interval both = new Interval(Math.max(beginNs, other.beginNs), Math.min(endNs, other.endNs));
        return both.lengthNs() > 0 ? Optional.of(both) : Optional.empty();
    }

    /** Returns what intervals cover together, by time; those that overlap or touch become one. */
    public static List<Interval> union(Collection<Interval> intervals) {
        List<Interval> union = new ArrayList<>();
        for (Interval next : intervals.stream()
                .sorted(Comparator.comparingLong(Interval::beginNs))
                .toList()) {
            int last = union.size() - 1;
            if (last >= 0 && next.beginNs <= union.get(last).endNs) {
                union.set(last, new Interval(union.get(last).beginNs, Math.max(union.get(last).endNs, next.endNs)));
            } else {
                union.add(next);
            }
        }
        return union;
    }

    /** Returns the pieces of this, by time: it is cut wherever one of the others begins or ends, so that each of them covers all of a piece or nothing. */
    public List<Interval> cutBy(Collection<Interval> others) {
        NavigableSet<Long> cuts = new TreeSet<>(List.of(beginNs, endNs));
        others.forEach(other -> intersection(other).ifPresent(part -> {
            cuts.add(part.beginNs);
            cuts.add(part.endNs);
        }));
        List<Interval> pieces = new ArrayList<>();
        for (Long cut = cuts.first(); cuts.higher(cut) != null; cut = cuts.higher(cut)) {
            pieces.add(new Interval(cut, cuts.higher(cut)));
        }
        return pieces;
    }

    /** Returns how much of this the others cover together, from 0 to 1; what several cover counts once. */
    public double coveredBy(Collection<Interval> others) {
        if (lengthNs() <= 0) {
            return 0;
        }
        long coveredNs = union(others).stream()
                .flatMap(other -> intersection(other).stream())
                .mapToLong(Interval::lengthNs)
                .sum();
        return (double) coveredNs / lengthNs();
    }
}
