package org.naklab.lab.tools.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.LabException;

/** With real sockets: on loopback, what a buffer holds does not depend on how busy the machine is. */
@Timeout(60)
final class BufferBenchTest {
    private static final long MS = 1_000_000;

    @ParameterizedTest
    @ValueSource(ints = {64, 700, 1_400})
    void shouldAgreeWithTheArithmetic(int datagramBytes) {
        BufferBench bench = new BufferBench(datagramBytes);
        List<BufferPoint> points = bench.run(List.of(20_000L), List.of(5 * MS, 10 * MS), unused -> {});
        assertThat(points).extracting(BufferPoint::datagrams).containsExactly(100, 200);
        assertThat(points).allSatisfy(point -> {
            assertThat(point.arithmeticBytes()).isEqualTo(point.datagrams() * bench.bytesPerDatagram());
            assertThat(point.ratio()).isBetween(0.97, 1.03);
        });
    }

    @Test
    void shouldLoseInABufferThatIsSmaller() throws IOException {
        BufferBench bench = new BufferBench(64);
        BufferPoint point =
                bench.run(List.of(50_000L), List.of(10 * MS), unused -> {}).get(0);
        assertThat(lost(point.measuredBytes(), point)).isZero();
        assertThat(lost(point.measuredBytes() - 2 * bench.bytesPerDatagram(), point))
                .isPositive();
    }

    @Test
    void shouldSayThatNoBufferOfThisKernelIsLargeEnough() {
        BufferBench bench = new BufferBench(64);
        long needed = bench.largestBytes() / bench.bytesPerDatagram() * 2;
        BufferPoint point =
                bench.run(List.of(needed * 10), List.of(100 * MS), unused -> {}).get(0);
        assertThat(point.measuredBytes()).isZero();
        assertThat(point.lostInLargest()).isBetween((int) (needed / 3), (int) (needed * 2 / 3));
    }

    @Test
    void shouldRefuseAStallWithoutADatagram() {
        assertThatThrownBy(() -> new BufferBench(64).run(List.of(1L), List.of(MS), unused -> {}))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no datagram is sent");
    }

    private static int lost(long bufferBytes, BufferPoint point) throws IOException {
        try (StalledReceiver receiver = new StalledReceiver((int) (bufferBytes / 2), 64)) {
            return receiver.lostIn(point.datagrams(), point.eventsPerSecond());
        }
    }
}
