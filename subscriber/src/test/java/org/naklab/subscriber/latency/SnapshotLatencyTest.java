package org.naklab.subscriber.latency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SnapshotLatencyTest {
    private static final long MILLI_NS = 1_000_000;
    private static final long BOUNDARY_NS = 1_795_000_000_000_000_000L;

    private long nowNs = 5_000 * MILLI_NS;
    private long epochNs = BOUNDARY_NS;
    private final SnapshotLatency latency = new SnapshotLatency(() -> nowNs, () -> epochNs);

    @Test
    void shouldMeasureFromTheBoundaryOfTheSecond() {
        latency.countFrom(nowNs);
        epochNs = BOUNDARY_NS + 3 * MILLI_NS;
        latency.onSnapshot(BOUNDARY_NS);
        epochNs = BOUNDARY_NS + 150 * MILLI_NS;
        latency.onSnapshot(BOUNDARY_NS);

        assertThat(latency.boundaryToReceived().count()).isEqualTo(2);
        assertThat(latency.boundaryToReceived().valueNs(50)).isBetween(3 * MILLI_NS, 3_003_000L);
        assertThat(latency.boundaryToReceived().maxNs()).isBetween(150 * MILLI_NS, 150_150_000L);
    }

    @Test
    void shouldLeaveOutTheWarmUp() {
        latency.onSnapshot(BOUNDARY_NS);
        latency.countFrom(nowNs + MILLI_NS);
        latency.onSnapshot(BOUNDARY_NS);
        assertThat(latency.boundaryToReceived().count()).isZero();
        nowNs += MILLI_NS;
        latency.onSnapshot(BOUNDARY_NS);
        assertThat(latency.boundaryToReceived().count()).isEqualTo(1);
    }
}
