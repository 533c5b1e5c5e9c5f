package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;

@Timeout(60)
final class TurnTest {
    private final List<Round> all = new ArrayList<>();
    private final List<Round> some = new ArrayList<>();

    @Test
    void shouldCompareEachTurnWithTheSlicesBesideIt() {
        Turn.take(List.of(turn(all, 90, 91), turn(some, 97, 98)), rates(100, 102, 104, 106, 108), 2);
        assertThat(all).containsExactly(Round.between(100, 90, 102), Round.between(104, 91, 106));
        assertThat(some).containsExactly(Round.between(102, 97, 104), Round.between(106, 98, 108));
    }

    @Test
    void shouldCountTheRoundsOfEarlierRuns() {
        all.add(Round.between(100, 90, 100));
        Turn.take(List.of(turn(all, 91)), rates(101, 102), 2);
        assertThat(all).containsExactly(Round.between(100, 90, 100), Round.between(101, 91, 102));
    }

    @Test
    void shouldEndWithTheFeedAndLeaveOutTheRoundThatItCuts() {
        Turn.take(List.of(turn(all, 90), turn(some)), rates(100, 102), 2);
        assertThat(all).containsExactly(Round.between(100, 90, 102));
        assertThat(some).isEmpty();
        Turn.take(List.of(turn(some)), rates(), 1);
        assertThat(some).isEmpty();
    }

    private static Turn turn(List<Round> rounds, double... rates) {
        return new Turn(rates(rates), rounds);
    }

    /** Tells one rate after the other, and then that the feed has ended. */
    private static Supplier<OptionalDouble> rates(double... rates) {
        Iterator<Double> next = Arrays.stream(rates).iterator();
        return () -> next.hasNext() ? OptionalDouble.of(next.next()) : OptionalDouble.empty();
    }
}
