package org.naklab.lab.replica.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A sample every two milliseconds, as the replica's processes take them. */
final class CounterHistoryTest {
    private static final long PERIOD_NS = 2_000_000;
    private static final int SAMPLES_IN_A_SECOND = 500;

    private final CounterHistory history = new CounterHistory();

    @Test
    void shouldKnowNothingBeforeTheFirstSample() {
        assertThat(history.growthSince(0)).isEqualTo(CounterHistory.UNKNOWN);
    }

    @Test
    void shouldTellTheGrowthFromTheLastSampleBefore() {
        history.add(10, 5);
        history.add(20, 7);
        history.add(30, 8);

        assertThat(history.growthSince(9)).isEqualTo(3);
        assertThat(history.growthSince(10)).isEqualTo(3);
        assertThat(history.growthSince(29)).isEqualTo(1);
        assertThat(history.growthSince(30)).isZero();
    }

    @Test
    void shouldKnowNothingOfATimeWithoutASampleSince() {
        history.add(10, 5);
        history.add(20, 5);
        assertThat(history.growthSince(15)).isZero();
        assertThat(history.growthSince(21)).isEqualTo(CounterHistory.UNKNOWN);
    }

    /** Two faults in the first moments of a stall of ten seconds. */
    @Test
    void shouldKnowWhatHappenedAtTheBeginningOfALongStall() {
        long stallNs = 17 * PERIOD_NS;
        for (int i = 0; i < 10 * SAMPLES_IN_A_SECOND; i++) {
            history.add(i * PERIOD_NS, i < 20 ? 3 : 5);
        }
        assertThat(history.growthSince(stallNs)).isEqualTo(2);
    }

    @Test
    void shouldKnowTenSecondsOfWhatGrowsAllTheTime() {
        int samples = 60 * SAMPLES_IN_A_SECOND;
        for (int i = 0; i < samples; i++) {
            history.add(i * PERIOD_NS, i);
        }
        int since = samples - 10 * SAMPLES_IN_A_SECOND;
        assertThat(history.growthSince(since * PERIOD_NS)).isEqualTo(samples - 1 - since);
    }

    @Test
    void shouldSayThatItNoLongerKnows() {
        for (int i = 0; i < 60 * SAMPLES_IN_A_SECOND; i++) {
            history.add(i * PERIOD_NS, i);
        }
        assertThat(history.growthSince(PERIOD_NS)).isEqualTo(CounterHistory.UNKNOWN);
    }
}
