package org.naklab.lab.containers.faults.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.core.UsageException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PacketFilterTest {
    @Test
    void shouldDrawARandomNumberForAPart() {
        assertThat(PacketFilter.datagrams(0.25).bytecode())
                .isEqualTo("8,32 0 0 6,21 5 0 105791819,48 0 0 23,21 0 3 17,32 0 0 4294963256,53 1 0 1073741824,"
                        + "6 0 0 4294967295,6 0 0 0");
    }

    @Test
    void shouldDrawNoneForAll() {
        assertThat(PacketFilter.datagrams(1).bytecode())
                .isEqualTo("6,32 0 0 6,21 3 0 105791819,48 0 0 23,21 0 1 17,6 0 0 4294967295,6 0 0 0");
        assertThat(PacketFilter.datagrams(0).bytecode()).isEqualTo("1,6 0 0 0");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 100.1, Double.NaN})
    void shouldRefuseWhatIsNoPercentage(double percent) {
        assertThatThrownBy(() -> FaultArguments.share("loss", percent))
                .isInstanceOf(UsageException.class)
                .hasMessage("loss must be 0 to 100 percent: " + percent);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 10_001})
    void shouldRefuseADelayOutOfBounds(long delayMs) {
        assertThatThrownBy(() -> FaultArguments.delayNs("delay", Duration.ofMillis(delayMs)))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("delay must be 0 to 10 s: ");
    }
}
