package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

@Timeout(60)
final class ConvertersTest {
    private static final Map<String, ITypeConverter<?>> BY_NAME = Map.of(
            "positive", new Converters.Positive(),
            "rate", new Converters.Rate(),
            "port", new Converters.Port(),
            "count", new Converters.Count(),
            "count-or-none", new Converters.CountOrNone(),
            "bytes", new Converters.Bytes(),
            "decimal", new Converters.PositiveDecimal(),
            "probability", new Converters.Probability(),
            "duration", new Converters.Duration(),
            "stall", new Converters.Stall());

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

    @ParameterizedTest
    @CsvSource({
        "positive, 1, 1",
        "rate, max, 0",
        "rate, 1, 1",
        "rate, 100000000, 100000000",
        "port, 1024, 1024",
        "port, 65534, 65534",
        "count, 1000000, 1000000",
        "count-or-none, 0, 0",
        "bytes, 32, 32",
        "bytes, 1073741824, 1073741824",
        "probability, 0, 0.0",
        "probability, 1, 1.0",
        "probability, 2.5%, 0.025",
        "probability, 100%, 1.0",
        "decimal, 1e-3, 0.001",
        "duration, 720h, 2592000000000000",
        "stall, 30ms, 30000000",
        "stall, 2s, 2000000000"
    })
    void shouldTakeTheLeastAndTheMost(String converter, String text, String value) throws Exception {
        assertThat(Objects.requireNonNull(BY_NAME.get(converter)).convert(text)).hasToString(value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        positive      | 0          | must be at least 1, not 0
        positive      | 1.5        | '1.5' is not a whole number
        rate          | 0          | must be from 1 to 100000000, not 0
        rate          | 100000001  | must be from 1 to 100000000, not 100000001
        port          | 1023       | must be from 1024 to 65534, not 1023
        port          | 65535      | must be from 1024 to 65534, not 65535
        count         | 0          | must be from 1 to 1000000, not 0
        count         | 1000001    | must be from 1 to 1000000, not 1000001
        count-or-none | -1         | must be from 0 to 1000000, not -1
        bytes         | 31         | must be from 32 to 1073741824, not 31
        bytes         | 1073741825 | must be from 32 to 1073741824, not 1073741825
        decimal       | 0          | must be above 0, not 0
        decimal       | NaN        | 'NaN' is not a number
        decimal       | 1e999      | must be above 0, not 1e999
        probability   | 1.01       | must be from 0 to 1, or in percent, not 1.01
        probability   | 101%       | must be from 0 to 1, or in percent, not 101%
        probability   | -1%        | must be above 0, not -1
        duration      | 721h       | '721h' is more than thirty days
        duration      | 0.4ns      | '0.4ns' is less than a nanosecond
        duration      | 5d         | '5d' is not a number
        stall         | 0.15       | '0.15' has no unit: 150ms or 0.15s
        stall         | 29ms       | must be from 30ms to 2s, not 29ms
        stall         | 2001ms     | must be from 30ms to 2s, not 2001ms
        """)
    void shouldRefuseWhatIsBeyondWithWhatWouldBeRight(String converter, String text, String refusal) {
        assertThatThrownBy(() -> Objects.requireNonNull(BY_NAME.get(converter)).convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage(refusal);
    }
}
