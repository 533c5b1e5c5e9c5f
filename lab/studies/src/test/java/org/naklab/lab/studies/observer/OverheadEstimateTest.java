package org.naklab.lab.studies.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.studies.observer.OverheadEstimate.Round;

@Timeout(60)
class OverheadEstimateTest {
    private static final double RATE = 1_000_000;

    @Test
    void shouldCompareASliceWithThoseBesideIt() {
        assertThat(Round.between(1_000, 980, 1_000).loss()).isCloseTo(0.02, within(1e-9));
        assertThat(Round.between(1_000, 1_000, 1_000).loss()).isZero();
        assertThat(Round.between(1_000, 1_100, 1_000).loss()).isNegative();
    }

    @Test
    void shouldNotTakeADriftForALoss() {
        assertThat(Round.between(1_000, 900, 800).loss()).isCloseTo(0, within(1e-9));
        assertThat(Round.between(800, 882, 1_000).loss()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void shouldCountWhatIsLostInMoments() {
        List<Round> rounds = new ArrayList<>(Collections.nCopies(9, Round.between(RATE, RATE, RATE)));
        rounds.add(Round.between(RATE, 0.8 * RATE, RATE));

        assertThat(OverheadEstimate.of(rounds).loss()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void shouldHaveTheTrueLossInItsInterval() {
        int inside = 0;
        for (int seed = 0; seed < 400; seed++) {
            OverheadEstimate interval = OverheadEstimate.of(noisy(0.02, 400, new Random(seed)));
            if (interval.low() <= 0.02 && 0.02 <= interval.high()) {
                inside++;
            }
        }

        assertThat(inside).isBetween(366, 394);
    }

    @Test
    void shouldTellALossFromNone() {
        assertThat(OverheadEstimate.of(noisy(0.05, 1_000, new Random(1))).low()).isPositive();
        assertThat(OverheadEstimate.of(noisy(0, 1_000, new Random(1))).low()).isNegative();
    }

    /** Each slice by itself a tenth more or less, as a pipeline's are. */
    private static List<Round> noisy(double loss, int count, Random random) {
        List<Round> rounds = new ArrayList<>();
        double before = RATE * (1 + 0.1 * random.nextGaussian());
        for (int i = 0; i < count; i++) {
            double watched = RATE * (1 - loss) * (1 + 0.1 * random.nextGaussian());
            double after = RATE * (1 + 0.1 * random.nextGaussian());
            rounds.add(Round.between(before, watched, after));
            before = after;
        }
        return rounds;
    }
}
