package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.InstrumentLevel;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HeisenbergTest {
    private static final double MARGIN = 0.2;

    @Test
    void shouldFindThatLookingMakesItRarer() throws InterruptedException {
        List<Heisenberg.Level> levels = levels(20, (level, seed) -> level != InstrumentLevel.FULL || seed % 4 == 0);
        assertThat(levels)
                .extracting(Heisenberg.Level::answer)
                .containsExactly(Answer.REFERENCE, Answer.NO_DIFFERENCE, Answer.LESS_OFTEN);
        assertThat(levels.get(2).hits()).isEqualTo(WilsonInterval.of(5, 20));
        assertThat(levels.get(2).difference().value()).isCloseTo(-0.75, within(1e-9));
    }

    @Test
    void shouldFindThatLookingMakesItMoreFrequent() throws InterruptedException {
        assertThat(levels(20, (level, seed) -> level != InstrumentLevel.NONE)
                        .get(1)
                        .answer())
                .isEqualTo(Answer.MORE_OFTEN);
    }

    @Test
    void shouldNotAnswerFromFewRuns() throws InterruptedException {
        assertThat(levels(3, (level, seed) -> true))
                .extracting(Heisenberg.Level::answer)
                .containsExactly(Answer.REFERENCE, Answer.NOT_ENOUGH_RUNS, Answer.NOT_ENOUGH_RUNS);
    }

    @Test
    void shouldGiveEachLevelTheSameSeedsAndLetEachBegin() throws InterruptedException {
        List<Heisenberg.Run> order = new ArrayList<>();
        Heisenberg experiment = new Heisenberg((level, seed) -> run(level, seed, true, true), order::add);
        experiment.run(3, 7, new Cancellation());
        for (InstrumentLevel level : InstrumentLevel.values()) {
            assertThat(order)
                    .filteredOn(run -> run.level() == level)
                    .extracting(Heisenberg.Run::seed)
                    .containsExactly(7L, 8L, 9L);
        }
        assertThat(List.of(order.get(0), order.get(3), order.get(6)))
                .extracting(Heisenberg.Run::level)
                .containsExactlyInAnyOrder(InstrumentLevel.values());
    }

    @Test
    void shouldNotCountARunThatDidNotComeToItsEnd() throws InterruptedException {
        Heisenberg experiment = new Heisenberg((level, seed) -> run(level, seed, seed % 2 == 0, true), run -> {});
        experiment.run(10, 1, new Cancellation());
        assertThat(experiment.levels(MARGIN)).allMatch(level -> level.hits().equals(WilsonInterval.of(5, 5)));
    }

    /** The example of Newcombe's paper: 56 of 70 against 48 of 80. */
    @Test
    void shouldAgreeWithThePublishedInterval() {
        ShareDifference difference = ShareDifference.of(WilsonInterval.of(56, 70), WilsonInterval.of(48, 80));
        assertThat(difference.low()).isCloseTo(0.0524, within(5e-5));
        assertThat(difference.high()).isCloseTo(0.3339, within(5e-5));
    }

    private static List<Heisenberg.Level> levels(int repeat, BiPredicate<InstrumentLevel, Long> isHit)
            throws InterruptedException {
        Heisenberg experiment =
                new Heisenberg((level, seed) -> run(level, seed, true, isHit.test(level, seed)), run -> {});
        experiment.run(repeat, 1, new Cancellation());
        return experiment.levels(MARGIN);
    }

    private static Heisenberg.Run run(InstrumentLevel level, long seed, boolean isCounted, boolean isHit) {
        return new Heisenberg.Run(level, seed, isCounted, isHit, 100.0);
    }
}
