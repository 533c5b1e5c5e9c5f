package org.naklab.lab.runs.history.detail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SeriesNameTest {
    @Test
    void shouldTakePortAndInodeOutOfTheNameOfASocket() {
        assertThat(SeriesName.of("socket.mds.0.0.0.0:56308#774632.depthBytes"))
                .isEqualTo(new SeriesName("socket.mds.0.0.0.0.depthBytes", 56_308L, 774_632L, null, null));
        assertThat(SeriesName.of("socket.mds.[::1]:38817#774639.drops"))
                .isEqualTo(new SeriesName("socket.mds.[::1].drops", 38_817L, 774_639L, null, null));
    }

    @Test
    void shouldTakeOutThreadsAndSessions() {
        assertThat(SeriesName.of("thread.mds.mds-context#27626.cpuNs"))
                .isEqualTo(new SeriesName("thread.mds.mds-context.cpuNs", null, null, 27_626L, null));
        assertThat(SeriesName.of("aeron.mds.stream1002.session-1106350510.naksSent"))
                .isEqualTo(new SeriesName("aeron.mds.stream1002.naksSent", null, null, null, -1_106_350_510L));
    }

    @Test
    void shouldLeaveOtherNames() {
        assertThat(SeriesName.of("memory.cachedBytes"))
                .isEqualTo(new SeriesName("memory.cachedBytes", null, null, null, null));
        assertThat(SeriesName.of("socket.mds.depthBytes").series()).isEqualTo("socket.mds.depthBytes");
    }
}
