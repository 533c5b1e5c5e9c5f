package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;

@Timeout(60)
class ReceivedFeedTest {
    @Test
    void shouldPreferAGroupToAnyOtherSocket() {
        SocketSummary unicast = socket("0.0.0.0", 4_000, List.of());
        SocketSummary first = socket("0.0.0.0", 40_000, List.of("239.1.1.2"));
        SocketSummary second = socket("239.1.1.1", 40_000, List.of("239.1.1.1"));

        assertThat(ReceivedFeed.of(List.of(unicast, first, second)))
                .hasValue(new Feed(List.of("239.1.1.1", "239.1.1.2"), 40_000, ""));
    }

    @Test
    void shouldPreferAPortThatTheProcessChoseToOneThatTheKernelGave() {
        SocketSummary sending = socket("0.0.0.0", 40_123, List.of());
        SocketSummary receiving = socket("127.0.0.1", 9_000, List.of());

        assertThat(ReceivedFeed.of(List.of(sending, receiving))).hasValue(new Feed(List.of("127.0.0.1"), 9_000, ""));
    }

    @Test
    void shouldTakeDatagramsForAnyAddressOfASocketThatIsBoundToNone() {
        assertThat(ReceivedFeed.of(List.of(socket("0.0.0.0", 9_000, List.of()))))
                .hasValue(new Feed(List.of(), 9_000, ""));
        assertThat(ReceivedFeed.of(List.of())).isEmpty();
    }

    private static SocketSummary socket(String address, int port, List<String> groups) {
        return new SocketSummary(
                new SocketIdentity(port, false, address, port), groups, 0, 0, 0, 212_992, 0, Headroom.NONE);
    }
}
