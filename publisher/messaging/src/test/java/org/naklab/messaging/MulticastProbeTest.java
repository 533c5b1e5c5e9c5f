package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.host.FreePorts;

@Timeout(60)
class MulticastProbeTest {
    private static final int BASE_PORT = FreePorts.pair();

    @Test
    void shouldHearItselfOnLoopback() {
        assertThatCode(() -> MulticastProbe.check(TopicChannels.onLoopback(BASE_PORT)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldNameAnInterfaceThatDoesNotExist() {
        assertThatThrownBy(() -> MulticastProbe.check(new TopicChannels("203.0.113.7", 0, BASE_PORT)))
                .isInstanceOf(MessagingException.class)
                .hasMessageContaining("203.0.113.7")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldNameAPortInUseEvenWhenItIsShared() throws IOException {
        for (int port : new int[] {BASE_PORT, BASE_PORT + 1}) {
            try (DatagramChannel other = DatagramChannel.open()) {
                other.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(new InetSocketAddress(port));
                assertThatThrownBy(() -> Ports.requireFree(BASE_PORT))
                        .isInstanceOf(MessagingException.class)
                        .hasMessageContaining(String.valueOf(port));
            }
        }
        assertThatCode(() -> Ports.requireFree(BASE_PORT)).doesNotThrowAnyException();
    }

    @Test
    void shouldFindAFreeBase() {
        int basePort = Ports.findFreeBase();

        assertThat(basePort).isBetween(1024, 65_534);
        assertThatCode(() -> Ports.requireFree(basePort)).doesNotThrowAnyException();
    }
}
