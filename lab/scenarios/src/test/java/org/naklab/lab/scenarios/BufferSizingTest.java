package org.naklab.lab.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.UsageException;

@Timeout(60)
final class BufferSizingTest {
    private static final int DATAGRAM_BYTES = 96;
    /** What Linux 6 charges for a small datagram. */
    private static final int CALIBRATION_BYTES = 131_072;

    private static final int CAPACITY = 157;

    @ParameterizedTest
    @CsvSource({
        "  50,   212992", " 150,   212992", " 300,   212992", "2000,   212992",
        "  50,  4194304", " 150,  4194304", " 300,  4194304", "2000,  4194304",
        " 150,   425984", " 150, 16777216", " 300,   106496",
    })
    void shouldOverflowTheSmallBufferAndFitTheBigOneAtTheSameRate(long stallMs, int rmemMaxBytes) {
        SocketBufferCalibration kernel = linux(rmemMaxBytes);
        long stallNs = TimeUnit.MILLISECONDS.toNanos(stallMs);
        long rate = BufferSizing.chooseRate(stallNs, kernel);

        BufferSizing small = BufferSizing.choose(stallNs, rate, kernel, false);
        BufferSizing big = BufferSizing.choose(stallNs, rate, kernel, true);

        assertThat(small.askedBytes()).isLessThanOrEqualTo(rmemMaxBytes);
        assertThat(small.heldBy(small.expectedGrantedBytes())).isBetween(0.3, 0.6);
        assertThat(big.askedBytes()).isLessThanOrEqualTo(rmemMaxBytes);
        assertThat(big.heldBy(big.expectedGrantedBytes())).isGreaterThanOrEqualTo(1.49);
        assertThat(small.eventsPerSecond()).isEqualTo(big.eventsPerSecond()).isPositive();
    }

    @Test
    void shouldReckonWithDebiansDefault() {
        SocketBufferCalibration kernel = linux(212_992);
        long stallNs = TimeUnit.MILLISECONDS.toNanos(150);

        BufferSizing stall = BufferSizing.choose(stallNs, BufferSizing.chooseRate(stallNs, kernel), kernel, false);

        assertThat(kernel.bytesPerDatagram()).isEqualTo(835);
        assertThat(stall.eventsPerSecond()).isEqualTo(2_200);
        assertThat(stall.stallDatagrams()).isEqualTo(330);
        assertThat(stall.stallPayloadBytes()).isEqualTo(330 * 96);
        assertThat(stall.stallBufferBytes()).isEqualTo(330 * 835);
        assertThat(stall.expectedGrantedBytes()).isEqualTo(137_774);
        assertThat(stall.lines())
                .anySatisfy(line -> assertThat(line.text()).contains("it would overflow after 75.0 ms"));
    }

    @Test
    void shouldPreferAModestRateWhereTheKernelWouldAllowMore() {
        assertThat(BufferSizing.chooseRate(TimeUnit.MILLISECONDS.toNanos(50), linux(16 << 20)))
                .isEqualTo(BufferSizing.PREFERRED_EVENTS_PER_SECOND);
    }

    @Test
    void shouldRefuseARateThatNoBufferHolds() {
        SocketBufferCalibration kernel = linux(212_992);

        assertThatThrownBy(() -> BufferSizing.choose(TimeUnit.MILLISECONDS.toNanos(150), 10_000, kernel, true))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("416 KiB")
                .hasMessageContaining("--rate at most 2,267")
                .hasMessageContaining("net.core.rmem_max");
    }

    @Test
    void shouldOverflowAtThatRateAllTheSame() {
        BufferSizing stall = BufferSizing.choose(TimeUnit.MILLISECONDS.toNanos(150), 10_000, linux(212_992), false);

        assertThat(stall.heldBy(stall.expectedGrantedBytes())).isLessThan(1);
    }

    @Test
    void shouldRefuseARateThatFillsNoBuffer() {
        assertThatThrownBy(() -> BufferSizing.choose(TimeUnit.MILLISECONDS.toNanos(150), 100, linux(212_992), false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("15 datagrams")
                .hasMessageContaining("--rate at least 427");
    }

    /** On loopback, whatever the kernel: it charges at least the payload, and holds what it says it holds. */
    @Test
    void shouldMeasureWhatADatagramTakes() {
        SocketBufferCalibration kernel = SocketBufferCalibration.measure(DATAGRAM_BYTES, 8 << 20);

        assertThat(kernel.capacityDatagrams()).isPositive();
        assertThat(kernel.bytesPerDatagram()).isGreaterThanOrEqualTo(DATAGRAM_BYTES);
        assertThat(kernel.maxGrantedBytes()).isGreaterThanOrEqualTo(kernel.calibrationBytes());
        assertThat(kernel.grantedPerAsked()).isBetween(1, 2);
    }

    private static SocketBufferCalibration linux(int rmemMaxBytes) {
        return new SocketBufferCalibration(
                DATAGRAM_BYTES, CALIBRATION_BYTES, CAPACITY, 2, 2 * Math.min(rmemMaxBytes, 8 << 20));
    }
}
