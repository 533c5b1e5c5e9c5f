package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Iterator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class MonotonicConverterTest {
    private static final long EPOCH_NS = 1_000_000_000_000L;

    /** The wall clock stands still; the thread lost its CPU between the clocks in all readings but the third. */
    @Test
    void shouldTakeTheReadingDuringWhichLeastTimeWentBy() {
        Iterator<Long> times = LongStream.of(0, 900, 1_000, 9_000, 10_000, 10_040, 11_000, 11_500, 12_000, 12_800)
                .iterator();
        MonotonicConverter converter = new MonotonicConverter(times::next, () -> Instant.EPOCH.plusNanos(EPOCH_NS));

        assertThat(converter.epochOffsetNs()).isEqualTo(EPOCH_NS - 10_020);
    }

    @Test
    void shouldConvertInBothDirections() {
        MonotonicConverter converter = new MonotonicConverter(() -> 20, () -> Instant.EPOCH.plusNanos(EPOCH_NS));

        assertThat(converter.toInstant(50)).isEqualTo(Instant.EPOCH.plusNanos(EPOCH_NS + 30));
        assertThat(converter.toNs(Instant.EPOCH.plusNanos(EPOCH_NS + 30))).isEqualTo(50);
    }
}
