package org.naklab.lab.studies.observer;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;

/**
 * Tells what goes on in one slice of a run, between two slices in which nothing does.
 *
 * @param rate measures such a slice, in events a second; empty: the feed has ended meanwhile
 * @param rounds to which its rounds are added
 */
record Turn(Supplier<OptionalDouble> rate, List<Round> rounds) {
    /**
     * Takes turns until the feed ends or the first one has enough rounds.
     *
     * @param alone measures a slice in which nothing goes on; empty: the feed has ended meanwhile
     * @param wanted rounds of the first turn, with those that it has already
     */
    static void take(List<Turn> turns, Supplier<OptionalDouble> alone, int wanted) {
        OptionalDouble before = alone.get();
        while (before.isPresent() && turns.get(0).rounds().size() < wanted) {
            for (Turn turn : turns) {
                before = before.isPresent() ? turn.take(before.getAsDouble(), alone) : before;
            }
        }
    }

    /** Adds a round, and returns the rate of the slice at its end. */
    private OptionalDouble take(double before, Supplier<OptionalDouble> alone) {
        OptionalDouble beside = rate.get();
        OptionalDouble after = alone.get();
        if (beside.isPresent() && after.isPresent()) {
            rounds.add(Round.between(before, beside.getAsDouble(), after.getAsDouble()));
        }
        return after;
    }
}
