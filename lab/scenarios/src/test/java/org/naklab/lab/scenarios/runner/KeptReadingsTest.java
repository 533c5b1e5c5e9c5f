package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.diagnosis.readings.Reading;
import org.naklab.lab.instruments.series.Series;

@Timeout(60)
final class KeptReadingsTest {
    private static final long MS = 1_000_000;
    private static final Series POSITION =
            new Series(SeriesName.of("aeron.mds.stream1001.session7.highestPositionBytes"));
    private static final Series RING = new Series(SeriesName.of("gauge.mds.ringDepthSlots"));

    private final KeptReadings kept = new KeptReadings();

    @Test
    void shouldKeepWhatADiagnosisAsksForFromTheCountedWindowOn() {
        kept.onSample(1, RING, 5);
        kept.countFrom(10);
        kept.onSample(9, RING, 6);
        kept.onSample(10, RING, 7);
        kept.onSample(11, RING, 8);
        kept.onSample(12, new Series(SeriesName.of("socket.mds.4711.depthBytes")), 9);
        assertThat(kept.values()).containsOnlyKeys(RING.name());
        assertThat(kept.values().get(RING.name())).containsExactly(new Reading(10, 7), new Reading(11, 8));
    }

    /** The longest of something seldom changes once the processes have warmed up. */
    @Test
    void shouldTellWhichInstrumentsLooked() {
        kept.onSample(1, new Series(SeriesName.of("timer.longestLatenessNs")), 5);
        kept.countFrom(10);
        assertThat(kept.values()).containsEntry(SeriesName.of("timer.longestLatenessNs"), List.of());
    }

    /** While a gap is open, positions are read once a millisecond; a diagnosis counts in windows of 10 ms. */
    @Test
    void shouldThinOutPositions() {
        kept.countFrom(0);
        for (long atMs = 0; atMs <= 10; atMs++) {
            kept.onSample(atMs * MS, POSITION, atMs);
        }
        assertThat(kept.values().get(POSITION.name()))
                .containsExactly(new Reading(0, 0), new Reading(5 * MS, 5), new Reading(10 * MS, 10));
    }

    @Test
    void shouldKeepTheLatestOfALongRun() {
        kept.countFrom(0);
        for (long i = 0; i < 30_002; i++) {
            kept.onSample(i, RING, i);
        }
        List<Reading> readings = kept.values().get(RING.name());
        assertThat(readings).hasSize(30_000);
        assertThat(readings.get(0)).isEqualTo(new Reading(2, 2));
    }
}
