package org.naklab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.driver.media.UdpChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TopicChannelsTest {
    @ParameterizedTest
    @EnumSource(Topic.class)
    void shouldStayOnTheMachineUnlessAskedOtherwise(Topic topic) throws Exception {
        String uri = TopicChannels.onLoopback(20_040).uri(topic);

        assertThat(uri).contains("interface=127.0.0.1").contains("ttl=0");
        // What Aeron makes of it is what counts.
        UdpChannel channel = UdpChannel.parse(uri);
        assertThat(channel.localInterface().isLoopback()).isTrue();
        assertThat(channel.hasMulticastTtl()).isTrue();
        assertThat(channel.multicastTtl()).isZero();
        assertThat(channel.remoteData().getAddress().isMCOrgLocal()).isTrue();
        assertThat(channel.remoteControl().getPort())
                .isEqualTo(channel.remoteData().getPort());
    }

    @Test
    void shouldTakeAnotherInterfaceOnlyByName() {
        TopicChannels channels = new TopicChannels("192.0.2.0/24", 1, 20_040);

        assertThat(channels.uri(Topic.ORDER_BOOK_EVENTS))
                .contains("interface=192.0.2.0/24")
                .contains("ttl=1");
        assertThatThrownBy(() -> new TopicChannels("", 0, 20_040)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveEachTopicItsOwnGroupAndPort() {
        TopicChannels channels = TopicChannels.onLoopback(20_040);

        assertThat(channels.group(Topic.ORDER_BOOK_EVENTS)).isNotEqualTo(channels.group(Topic.ORDER_BOOK_SNAPSHOTS));
        assertThat(channels.port(Topic.ORDER_BOOK_EVENTS)).isEqualTo(20_040);
        assertThat(channels.port(Topic.ORDER_BOOK_SNAPSHOTS)).isEqualTo(20_041);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256})
    void shouldRefuseAnImpossibleTtl(int ttl) {
        assertThatThrownBy(() -> new TopicChannels("127.0.0.1", ttl, 20_040)).hasMessageContaining("TTL");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1023, 65_535})
    void shouldRefuseAnImpossiblePort(int port) {
        assertThatThrownBy(() -> TopicChannels.onLoopback(port)).hasMessageContaining("port");
    }
}
