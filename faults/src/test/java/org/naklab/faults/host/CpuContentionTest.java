package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CpuContentionTest {
    @Test
    void shouldReadUserAndSystemTimeOfABurnerThatHasEnded() {
        String line = "4711 (sh (1)) R 1 4711 4711 0 -1 4194304 190 0 0 0 45 4 0 0 20 0 1 0 12345 2654208 200\n";
        assertThat(CpuContention.statNs(line)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(490));
    }

    @Test
    void shouldTakeAMessageForNoTime() {
        assertThat(CpuContention.statNs("")).isZero();
        assertThat(CpuContention.statNs(
                        "chrt: failed to set pid 0's policy: Operation not permitted (a b c d e f g h)"))
                .isZero();
    }
}
