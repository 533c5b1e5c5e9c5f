package org.naklab.lab.watch.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.naklab.lab.core.Headroom;
import org.naklab.lab.instruments.sampling.SocketIdentity;
import org.naklab.lab.instruments.sockets.SocketSummary;

class SocketGroupTest {
    /** An alert that compares the two ends with them. */
    @Test
    void shouldGiveNoHeadroomOfThePast() {
        assertThat(group(9_000).headroomSeconds()).isEqualTo(OptionalDouble.of(0.025));
        assertThat(group(9_000).arrivalBytesPerSecond()).isEqualTo(OptionalDouble.of(40_000_000));
        assertThat(group(11_000).headroomSeconds()).isEmpty();
        assertThat(group(11_000).arrivalBytesPerSecond()).isEmpty();
        assertThat(group(11_000).longestStallSeconds()).isEqualTo(OptionalDouble.of(0.25));
        assertThat(group(11_000).longestLatelySeconds()).isEqualTo(OptionalDouble.of(0));
    }

    private static SocketGroup group(double seenAgoMs) {
        Headroom headroom = new Headroom(Headroom.Basis.MEASURED, 40_000_000, 20, 25, 250, -1, -1, seenAgoMs);
        return new SocketGroup(
                SocketGroup.UNICAST,
                List.of(new SocketSummary(
                        new SocketIdentity(7, false, "127.0.0.1", 5_219), List.of(), 0, 0, 0, 1_000_000, 0, headroom)));
    }
}
