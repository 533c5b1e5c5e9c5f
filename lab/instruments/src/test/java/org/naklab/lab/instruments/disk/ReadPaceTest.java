package org.naklab.lab.instruments.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ReadPaceTest {
    private static final double READ_MS = 2;

    @Test
    void shouldTakeTheTimeOfTheDiskWithoutALimit() {
        ReadPace pace = ReadPace.ofDisk(READ_MS);
        assertThat(pace.waitMs(3)).isEqualTo(6);
        assertThat(pace.shortMs(3)).isEqualTo(6);
    }

    /** A receiver in a group with 7 reads a second, of which it makes none: it waited 147.3 ms for one page. */
    @Test
    void shouldWaitForTheFirstReadWhereASliceHasNone() {
        ReadPace pace = new ReadPace(READ_MS, 7, 0);
        assertThat(pace.waitMs(1)).isCloseTo(147.3, within(10.0));
        assertThat(pace.waitMs(2)).isCloseTo(2 * 147.3, within(20.0));
    }

    /** A slice of a tenth of a second has two reads at 20 a second. */
    @Test
    void shouldTakeWhatASliceHasLeft() {
        ReadPace pace = new ReadPace(READ_MS, 20, 0);
        assertThat(pace.waitMs(2)).isEqualTo(4);
        assertThat(pace.waitMs(3)).isEqualTo(6 + 50);
        assertThat(pace.shortMs(2)).isEqualTo(4 + 100);
    }

    /** Ten binds behind two readers at 10 reads a second took 191 to 318 ms for one page, 246 ms in the middle (docs/notes/fidelity.md). */
    @Test
    void shouldWaitBehindThoseWhoSpendTheBudget() {
        ReadPace pace = new ReadPace(0, 10, 2);
        assertThat(pace.waitMs(1)).isCloseTo(246, within(10.0));
        assertThat(pace.shortMs(1)).isEqualTo(pace.waitMs(1));
        assertThat(pace.waitMs(3)).isCloseTo(850, within(1.0));
    }

    /** Behind one reader at 14 reads a second, ten binds took 144.6 to 157.1 ms for one page. */
    @Test
    void shouldCountWhatTheKernelLetsThrough() {
        assertThat(new ReadPace(0, 14, 1).waitMs(1)).isCloseTo(150, within(1.0));
        assertThat(new ReadPace(0, 14, 0).shortMs(1)).isCloseTo(100, within(1.0));
    }

    @Test
    void shouldSayWhatItIsMadeOf() {
        assertThat(ReadPace.ofDisk(1.64).words()).isEqualTo("1.6 ms a read");
        assertThat(new ReadPace(2, 7, 0).words()).isEqualTo("the control group may read 7 times a second");
        assertThat(new ReadPace(2, 14, 1).words())
                .isEqualTo("the control group may read 14 times a second, and 1.0 other reads wait");
    }
}
