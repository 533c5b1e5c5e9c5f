package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MonotonicToWallClockTest {
    private final MonotonicToWallClock clock =
            MonotonicToWallClock.at(ZoneId.of("Europe/Berlin"), Instant.parse("2026-11-28T12:00:00Z"), 5_000_000_000L);

    @Test
    void shouldShowTheTimeOfTheZone() {
        assertThat(clock.show(5_000_000_000L)).isEqualTo("13:00:00.000");
        assertThat(clock.show(6_001_999_999L)).isEqualTo("13:00:01.001");
    }

    @Test
    void shouldShowWhatWasBeforeTheReference() {
        assertThat(clock.show(0)).isEqualTo("12:59:55.000");
        assertThat(clock.instant(-1_000_000)).isEqualTo(Instant.parse("2026-11-28T11:59:54.999Z"));
    }
}
