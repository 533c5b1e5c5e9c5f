package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads the counters of soft interrupts as the kernel prints them. */
@Timeout(10)
class SoftInterruptsTest {
    @Test
    void shouldReadTheCountersOfOneCpu() {
        List<String> softirqs = List.of(
                "                    CPU0       CPU1", "      NET_RX:     715716     523866", "         RCU: 1 2");
        assertThat(SoftInterrupts.count(softirqs, "NET_RX", 1)).isEqualTo(523_866);
        String zeros = " 00000000".repeat(11);
        List<String> softnet = List.of("00000010" + zeros + " 00000000", "0000002a" + zeros + " 00000003");
        assertThat(SoftInterrupts.datagrams(softnet, 3))
                .as("by the number of the CPU, not of the line")
                .isEqualTo(42);
        assertThat(ThreadStatistics.contains("0-2,5", 2)).isTrue();
        assertThat(ThreadStatistics.contains("0-2,5", 4)).isFalse();
        assertThat(CostlyLoopback.mask(1)).isEqualTo("2");
        assertThat(CostlyLoopback.mask(33)).isEqualTo("2,00000000");
    }
}
