package org.naklab.lab.replica.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.naklab.lab.core.timeline.Interval;

/** A sample every two milliseconds, as the replica's processes take them. */
final class CounterHistoryTest {
    private static final long PERIOD_NS = 2_000_000;
    private static final int SAMPLES_IN_A_SECOND = 500;

    private final CounterHistory history = new CounterHistory();

    @Test
    void shouldKnowNothingBeforeTheFirstSample() {
        assertThat(history.growthIn(new Interval(0, 1))).isEqualTo(CounterHistory.UNKNOWN);
    }

    @Test
    void shouldReportTheGrowthBetweenTheSamplesAroundTheInterval() {
        history.add(10, 5);
        history.add(20, 7);
        history.add(30, 8);
        history.add(40, 8);
        history.add(50, 20);

        assertThat(history.growthIn(new Interval(9, 10))).isZero();
        assertThat(history.growthIn(new Interval(9, 15))).isEqualTo(2);
        assertThat(history.growthIn(new Interval(10, 21))).isEqualTo(3);
        assertThat(history.growthIn(new Interval(29, 30))).isEqualTo(1);
        assertThat(history.growthIn(new Interval(30, 31))).isZero();
    }

    /** What grew after the stall is not the stall's. */
    @Test
    void shouldLeaveOutWhatGrewAfterTheInterval() {
        history.add(10, 5);
        history.add(20, 6);
        history.add(30, 6);
        history.add(40, 106);

        assertThat(history.growthIn(new Interval(12, 18))).isEqualTo(1);
        assertThat(history.growthIn(new Interval(12, 28))).isEqualTo(1);
        assertThat(history.growthIn(new Interval(12, 31))).isEqualTo(101);
    }

    @Test
    void shouldKnowNothingOfATimeWithoutASampleSince() {
        history.add(10, 5);
        history.add(20, 5);
        assertThat(history.growthIn(new Interval(15, 20))).isZero();
        assertThat(history.growthIn(new Interval(15, 21))).isEqualTo(CounterHistory.UNKNOWN);
    }

    /** A wait that began before the stall is counted at its end. */
    @Test
    void shouldReportNoMoreTimeThanTheIntervalHas() {
        history.add(0, 0);
        history.add(30_000_000, 25_000_000);
        assertThat(history.millisecondsIn(new Interval(20_000_000, 29_000_000), 1))
                .isEqualTo(9.0);
        assertThat(history.millisecondsIn(new Interval(0, 29_000_000), 1)).isEqualTo(25.0);
        assertThat(history.millisecondsIn(new Interval(0, 31_000_000), 1)).isEqualTo(CounterHistory.UNKNOWN);
    }

    /** Two faults in the first moments of a stall of ten seconds. */
    @Test
    void shouldKnowWhatHappenedAtTheBeginningOfALongStall() {
        for (int i = 0; i < 10 * SAMPLES_IN_A_SECOND; i++) {
            history.add(i * PERIOD_NS, i < 20 ? 3 : 5);
        }
        Interval stall = new Interval(17 * PERIOD_NS, (10 * SAMPLES_IN_A_SECOND - 1) * PERIOD_NS);
        assertThat(history.growthIn(stall)).isEqualTo(2);
    }

    @Test
    void shouldKnowTenSecondsOfWhatGrowsAllTheTime() {
        int samples = 60 * SAMPLES_IN_A_SECOND;
        for (int i = 0; i < samples; i++) {
            history.add(i * PERIOD_NS, i);
        }
        int since = samples - 10 * SAMPLES_IN_A_SECOND;
        Interval stall = new Interval(since * PERIOD_NS, (samples - 1) * PERIOD_NS);
        assertThat(history.growthIn(stall)).isEqualTo(samples - 1 - since);
    }

    @Test
    void shouldSayThatItNoLongerKnows() {
        for (int i = 0; i < 60 * SAMPLES_IN_A_SECOND; i++) {
            history.add(i * PERIOD_NS, i);
        }
        assertThat(history.growthIn(new Interval(PERIOD_NS, 2 * PERIOD_NS))).isEqualTo(CounterHistory.UNKNOWN);
    }
}
