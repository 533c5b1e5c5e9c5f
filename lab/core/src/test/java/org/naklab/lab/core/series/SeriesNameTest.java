package org.naklab.lab.core.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.Json;

@Timeout(60)
final class SeriesNameTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "socket.mds.0.0.0.0:56308#774632.depthBytes, SOCKET, mds, 0.0.0.0:56308#774632, depthBytes",
                "socket.4711.[::1]:38817#774639.drops, SOCKET, 4711, [::1]:38817#774639, drops",
                "thread.mds.mds-context#27626.cpuNs, THREAD, mds, mds-context#27626, cpuNs",
                "thread.7.Thread 1.5#8.cpuNs, THREAD, 7, Thread 1.5#8, cpuNs",
                "aeron.mds.stream1002.session-1106350510.naksSent, AERON, mds, stream1002.session-1106350510, naksSent",
                "aeron.mds.naksSent, AERON, mds, '', naksSent",
                "heartbeat.mds.mds-context.gapNs, HEARTBEAT, mds, mds-context, gapNs",
                "rate.exchange.sentBytesPerSecond, RATE, exchange, '', sentBytesPerSecond",
                "gauge.mds.ringDepthSlots, GAUGE, mds, '', ringDepthSlots",
                "cgroup.mds.freeBytes, CGROUP, mds, '', freeBytes",
                "memory.cachedBytes, MEMORY, '', '', cachedBytes",
                "timer.latenessNs, TIMER, '', '', latenessNs",
                "sampler.missedTicks, SAMPLER, '', '', missedTicks",
                "later.mds.of.a.version, OTHER, '', '', later.mds.of.a.version",
                "socket.depthBytes, OTHER, '', '', socket.depthBytes",
                "socket, OTHER, '', '', socket",
                "'', OTHER, '', '', ''"
            })
    void shouldReadWhatIsWrittenAndWriteItAgain(
            String text, SeriesSource source, String process, String subject, String quantity) {
        SeriesName name = SeriesName.of(text);
        assertThat(name).isEqualTo(new SeriesName(source, process, subject, quantity));
        assertThat(name).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "socket.mds.0.0.0.0:56308#774632.depthBytes, socket.mds.0.0.0.0.depthBytes, 56308, 774632, -, -",
                "socket.mds.[::1]:38817#774639.drops, socket.mds.[::1].drops, 38817, 774639, -, -",
                "thread.mds.mds-context#27626.cpuNs, thread.mds.mds-context.cpuNs, -, -, 27626, -",
                "aeron.mds.stream1002.session-1106350510.naksSent, aeron.mds.stream1002.naksSent, -, -, -, -1106350510",
                "aeron.mds.stream2.session7.subscriber3.unpolledBytes, aeron.mds.stream2.subscriber3.unpolledBytes, -, -, -, 7",
                "memory.cachedBytes, memory.cachedBytes, -, -, -, -",
                "socket.mds.unix.depthBytes, socket.mds.unix.depthBytes, -, -, -, -"
            })
    void shouldTakeOutTheNumbersThatDifferFromRunToRun(
            String text, String steady, Long port, Long inode, Long threadId, Long sessionId) {
        SeriesName name = SeriesName.of(text);
        assertThat(name.steady()).isEqualTo(steady);
        assertThat(name.port().orElse(null)).isEqualTo(port);
        assertThat(name.inode().orElse(null)).isEqualTo(inode);
        assertThat(name.threadId().orElse(null)).isEqualTo(threadId);
        assertThat(name.sessionId().orElse(null)).isEqualTo(sessionId);
    }

    /** A case file has the largest readings by name. */
    @Test
    void shouldBeAKeyAndAValueOfJson() {
        Map<SeriesName, SeriesName> map =
                Map.of(SeriesName.of("gauge.mds.ringDepthSlots"), SeriesName.of("memory.freeBytes"));
        assertThat(Json.line(map)).isEqualTo("{\"gauge.mds.ringDepthSlots\":\"memory.freeBytes\"}");
    }
}
