package org.naklab.lab.instruments.jvm.safepoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SafepointLogTest {
    @Test
    void shouldReadTheLogOfJdk17() {
        SafepointLog log = SafepointLog.of(List.of(
                "[76727970835871ns][gc] Using Serial",
                "[76727999062872ns][gc] GC(0) Pause Full (System.gc()) 6M->0M(365M) 1.062ms",
                "[76727999062900ns][gc,cpu] GC(0) User=0.01s Sys=0.02s Real=0.01s",
                "[76727999126579ns][safepoint] Safepoint \"GenCollectFull\", Time since last: 16259324 ns, Reaching"
                        + " safepoint: 98837 ns, Cleanup: 25730 ns, At safepoint: 1134107 ns, Total: 1258674 ns",
                "[76728999480354ns][safepoint] Safepoint \"None\", Time since last: 1000318027 ns, Reaching safepoint:"
                        + " 13359 ns, Cleanup: 14291 ns, At safepoint: 4673 ns, Total: 32323 ns",
                "[76729121680785ns][safepoint] Safepoint \"FindDead"));
        assertThat(log.safepoints())
                .containsExactly(
                        new Safepoint("GenCollectFull", 76727997867905L, 76727999126579L, 98837),
                        new Safepoint("None", 76728999448031L, 76728999480354L, 13359));
        assertThat(log.collections())
                .containsExactly(new SafepointLog.Collection(
                        0, "Pause Full (System.gc())", 76727999062872L - 1_062_000, 76727999062872L));
        assertThat(log.cpuTimes()).containsExactly(new SafepointLog.CpuTime(0, 76727999062900L, 30_000_000));
    }

    @Test
    void shouldReadTheLogOfJdk25() {
        SafepointLog log = SafepointLog.of(List.of(
                "[76731374425243ns][gc       ] GC(0) Pause Full (System.gc()) 5M->1M(365M) 1.825ms",
                "[76731363569618ns][safepoint] Safepoint \"SafepointALot\", Time since last: 13555 ns, Reaching"
                        + " safepoint: 255151 ns, At safepoint: 4402 ns, Leaving safepoint: 17230 ns, Total: 276783 ns,"
                        + " Threads: 1 runnable, 1 total"));
        assertThat(log.safepoints())
                .containsExactly(new Safepoint("SafepointALot", 76731363292835L, 76731363569618L, 255151));
        assertThat(log.collections()).hasSize(1);
    }
}
