package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine.TypeConversionException;

@Timeout(60)
final class MetricsAddressTest {
    private static MetricsAddress of(String text) {
        return new MetricsAddress.Converter().convert(text);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:9464, 127.0.0.1, 9464", "localhost:0, localhost, 0", "[::1]:65535, ::1, 65535"})
    void shouldReadHostAndPort(String text, String host, int port) {
        assertThat(of(text)).isEqualTo(new MetricsAddress(host, port));
        assertThat(of(text).onPort(port)).isEqualTo(text);
        assertThat(of(text).resolve().isLoopbackAddress()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9464", "localhost", "localhost:", "::1:9464", "a b:1", "localhost:-1", "host:123456"})
    void shouldRefuseWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> of(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("is not HOST:PORT");
    }

    @Test
    void shouldRefuseAPortThatThereIsNot() {
        assertThatThrownBy(() -> of("localhost:65536")).hasMessage("the port must be from 0 to 65535, not 65536");
    }

    @Test
    void shouldSayThatThereIsNoSuchHost() {
        assertThatThrownBy(() -> of("no-such-host.invalid:1").resolve())
                .isInstanceOf(UsageException.class)
                .hasMessage("--metrics: no host is named 'no-such-host.invalid'");
    }
}
