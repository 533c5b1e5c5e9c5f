package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConvertersTest {
    @ParameterizedTest
    @CsvSource({
        "600, 600_000_000_000",
        "0.5, 500_000_000",
        "600s, 600_000_000_000",
        "1.5ms, 1_500_000",
        "20us, 20_000",
        "7ns, 7",
        "10m, 600_000_000_000",
        "2h, 7_200_000_000_000"
    })
    void shouldReadADurationWithAnyUnit(String text, String expectedNs) {
        assertThat(new Converters.Duration().convert(text)).isEqualTo(Long.parseLong(expectedNs.replace("_", "")));
    }

    @ParameterizedTest
    @CsvSource({"50ms, 50", "0.3s, 300", "40000us, 40"})
    void shouldReadALengthOfAStallWithTheSameUnits(String text, long expectedMs) {
        assertThat(new Converters.Stall().convert(text)).isEqualTo(expectedMs * 1_000_000);
    }
}
