package org.naklab.lab.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.report.SampleSeries;

@Timeout(60)
final class StripLineTest {
    private static final long MS = 1_000_000;

    private static SampleSeries series(long... timesAndValues) {
        SampleSeries series = new SampleSeries();
        for (int i = 0; i < timesAndValues.length; i += 2) {
            series.add(timesAndValues[i], timesAndValues[i + 1]);
        }
        return series;
    }

    private static double[] column(StripLine line, long fromNs, long untilNs) {
        ByteBuffer out = ByteBuffer.allocate(StripLine.COLUMN_BYTES);
        line.append(out, fromNs, untilNs);
        out.flip();
        return new double[] {out.getFloat(), out.getFloat(), out.getFloat(), out.getShort()};
    }

    @Test
    void shouldKeepAPeakThatIsShorterThanAColumn() {
        StripLine line = StripLine.level("mds", "suspect", StripLine.Kind.LEVEL, series(0, 4, 5, 900, 6, 2), 2);
        assertThat(column(line, 0, 10)).containsExactly(1, 450, 1, 2);
    }

    @Test
    void shouldHoldAValueUntilTheNext() {
        StripLine line = StripLine.level("mds", "suspect", StripLine.Kind.LEVEL, series(0, 4, 50, 6), 1);
        assertThat(column(line, 20, 30)).containsExactly(4, 4, 4, 0);
        assertThat(column(line, -20, -10)).containsExactly(Double.NaN, Double.NaN, Double.NaN, 0);
    }

    @Test
    void shouldNotTellWhatComesLater() {
        StripLine line = StripLine.level("mds", "suspect", StripLine.Kind.LEVEL, series(0, 4, 5, 900), 1);
        assertThat(column(line, 0, 5)).containsExactly(4, 4, 4, 0);
    }

    @Test
    void shouldAddUpTheGrowthOfACounter() {
        StripLine line = StripLine.growth("mds", "suspect", series(0, 100, 5, 103, 6, 110, 30, 111));
        assertThat(column(line, 0, 10)).containsExactly(0, 10, 10, 2);
        assertThat(column(line, 10, 20)).containsExactly(0, 0, 0, 0);
    }

    /** The row of a gap is written at its end, and what a viewer sees is how long it lasts so far. */
    @Test
    void shouldCountASilenceUpWhileItLasts() {
        StripLine line = StripLine.silences("mds", "suspect", series(150 * MS, 150 * MS, 400 * MS, 2 * MS));
        assertThat(column(line, 40 * MS, 50 * MS)).containsExactly(0, 50, 50, 1);
        assertThat(column(line, 140 * MS, 160 * MS)).containsExactly(0, 150, 0, 1);
        assertThat(column(line, 200 * MS, 300 * MS)).containsExactly(0, 0, 0, 0);
        assertThat(column(line, 390 * MS, 500 * MS)).containsExactly(0, 2, 0, 1);
    }
}
