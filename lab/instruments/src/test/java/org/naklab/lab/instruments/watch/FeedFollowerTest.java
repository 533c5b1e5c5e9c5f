package org.naklab.lab.instruments.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.instruments.kernel.datagrams.Feed;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;

/** Each test of a JVM opens sockets of its own. */
@Timeout(60)
final class FeedFollowerTest {
    private static final Feed FIRST = new Feed(List.of("127.0.0.1"), 4_000, "");
    private static final Feed SECOND = new Feed(List.of("127.0.0.1"), 5_000, "");

    private final List<SocketSummary> open = new ArrayList<>();
    private final List<Optional<Feed>> recorded = new ArrayList<>();

    @Test
    void shouldFollowTheSocketsThatAreOpen() {
        open.add(socket(4_000));
        FeedFollower follower = new FeedFollower(() -> open, Optional.of(FIRST), recorded::add);
        follower.refresh(1);
        assertThat(recorded).as("it is recorded already").isEmpty();

        open.clear();
        follower.refresh(2);
        follower.refresh(3);
        open.add(socket(5_000));
        follower.refresh(4);
        follower.refresh(5);

        assertThat(recorded).containsExactly(Optional.empty(), Optional.of(SECOND));
        follower.close();
    }

    private static SocketSummary socket(int port) {
        return new SocketSummary(
                new SocketIdentity(port, false, "127.0.0.1", port), List.of(), 0, 0, 0, 212_992, 0, Headroom.NONE);
    }
}
