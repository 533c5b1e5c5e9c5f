package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CpuTicksTest {
    @Test
    void shouldTellTheShareThatTheHypervisorTook() {
        CpuTicks before = CpuTicks.of("cpu  10 0 10 70 0 0 5 5 3 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
        CpuTicks after = CpuTicks.of("cpu  20 0 20 135 0 0 5 20 9 0\n");
        assertThat(before.all()).isEqualTo(100);
        assertThat(after.stolenSince(before)).isEqualTo(0.15);
        assertThat(before.stolenSince(before)).isZero();
    }

    @Test
    void shouldRefuseAnotherText() {
        assertThatThrownBy(() -> CpuTicks.of("intr 1 2 3 4 5 6 7 8 9\n")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuTicks.of("")).isInstanceOf(IllegalArgumentException.class);
    }
}
