package org.naklab.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class FormatTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0 B",
                "10239 | 10,239 B",
                "10240 | 10 KiB",
                "1048575 | 1,023 KiB",
                "1048576 | 1 MiB",
                "10737418239 | 10,239 MiB",
                "10737418240 | 10 GiB"
            })
    void shouldLeaveFewDigitsOfBytes(long bytes, String text) {
        assertThat(Format.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 0 stalls", "1 | 1 stall", "2 | 2 stalls", "1200 | 1,200 stalls"})
    void shouldCountWithTheRightNumberOfANoun(long value, String text) {
        assertThat(Format.counted(value, "stall")).isEqualTo(text);
    }

    @Test
    void shouldUseAPluralOfItsOwn() {
        assertThat(Format.counted(1, "entry", "entries")).isEqualTo("1 entry");
        assertThat(Format.counted(3, "entry", "entries")).isEqualTo("3 entries");
    }

    @Test
    void shouldSayOnWhichSideADistanceLies() {
        assertThat(Format.distance(-1_500_000)).isEqualTo("1.500 ms before");
        assertThat(Format.distance(0)).isEqualTo("0.000 ms after");
        assertThat(Format.distance(2_000)).isEqualTo("0.002 ms after");
    }

    /** A comma for a decimal point would make two figures of one in CSV. */
    @Test
    void shouldNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(Format.count(1_234_567)).isEqualTo("1,234,567");
            assertThat(Format.milliseconds(1.25)).isEqualTo("1.3 ms");
            assertThat(Format.seconds(1_500_000_000)).isEqualTo("1.5 s");
        } finally {
            Locale.setDefault(before);
        }
    }
}
