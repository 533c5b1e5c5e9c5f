package org.naklab.lab.report.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HostNamesTest {
    private final HostNames ofLoopback = new HostNames("127.0.0.1", List.of("Lab.example.org"));
    private final HostNames ofAll = new HostNames("0.0.0.0", List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8080",
                "127.9.9.9",
                "localhost",
                "LOCALHOST.:8080",
                "[::1]:8080",
                "lab.example.org",
                "lab.EXAMPLE.org:80"
            })
    void shouldAllowLoopbackAndGivenNames(String host) {
        assertThat(ofLoopback.allow(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":8080",
                "evil.example.com",
                "evil.example.com:8080",
                "127.0.0.1.evil.example.com",
                "localhost.evil.example.com",
                "evil.example.com:80:127.0.0.1",
                "localhost@evil.example.com",
                "localhost, evil.example.com",
                "[::1",
                "[::1].evil.example.com",
                "xlab.example.org"
            })
    void shouldRefuseForeignNames(String host) {
        assertThat(ofLoopback.allow(host)).isFalse();
        assertThat(ofAll.allow(host)).isFalse();
    }

    @Test
    void shouldRefuseNoName() {
        assertThat(ofLoopback.allow(null)).isFalse();
    }

    /** A script's own site has a name; no name leads to an address. */
    @Test
    void shouldAllowAddressesOnlyWhereOtherMachinesAreLetIn() {
        assertThat(ofAll.allow("192.0.2.7:8080")).isTrue();
        assertThat(ofAll.allow("[2001:db8::1]:8080")).isTrue();
        assertThat(ofLoopback.allow("192.0.2.7:8080")).isFalse();
    }
}
