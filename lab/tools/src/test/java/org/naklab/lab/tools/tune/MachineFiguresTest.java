package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.tools.tune.machine.CounterFile;
import org.naklab.lab.tools.tune.machine.VirtualMemoryCounts;
import org.naklab.lab.tools.tune.workload.Figure;

/** What is read of the machine beside the value of a run. */
@Timeout(60)
final class MachineFiguresTest {
    @Test
    void shouldCountWhatTheKernelDidWithHugePages() {
        List<String> before = List.of("nr_free_pages 7", "compact_stall 10", "thp_fault_alloc 100");
        List<String> after =
                List.of("nr_free_pages 3", "compact_stall 13", "thp_fault_alloc 612", "thp_fault_fallback 4");
        assertThat(VirtualMemoryCounts.difference(before, after))
                .containsExactly(new Figure("waits for compaction", 3), new Figure("huge pages at a fault", 512));
    }

    @Test
    void shouldReadACounterAndNotTakeItsAbsenceForZero() {
        String counted = "# started on Wed Nov 25\n\n123456,,dTLB-load-misses,1000,100.00,,\n";
        assertThat(CounterFile.valueIn(counted, "dTLB-load-misses")).contains(123456.0);
        String refused = "<not supported>,,dTLB-load-misses,0,100.00,,\n";
        assertThat(CounterFile.valueIn(refused, "dTLB-load-misses")).isEmpty();
    }

    @Test
    void shouldTakeALimitOnlyIfBothAreSet() {
        Setting.Limit limit = new Setting.Limit("nofile", "512");
        List<String> missing = new ArrayList<>();
        List<String> proof = new ArrayList<>();
        OwnLimits limits = new OwnLimits(proof, missing);
        limits.limit(limit, List.of("Max open files            512                  512                  files     "));
        assertThat(missing).isEmpty();
        assertThat(proof).containsExactly("Max open files: 512 512 files (limits)");
        limits.limit(limit, List.of("Max open files            512                  1048576              files     "));
        assertThat(missing).containsExactly("Max open files: 512 1048576 files (limits)");
    }

    @Test
    void shouldTakeTheSmallerOfQuotaAndSet() {
        assertThat(new ProcessorShare("0-3", OptionalDouble.of(1.5)).given()).isEqualTo(1.5);
        assertThat(new ProcessorShare("2", OptionalDouble.of(1.5)).given()).isEqualTo(1);
        assertThat(new ProcessorShare("0-3", OptionalDouble.empty()).given()).isEqualTo(4);
    }

    @Test
    void shouldSeeWhetherTheProcessorsAreThoseOfTheArm() {
        List<String> missing = new ArrayList<>();
        OwnLimits limits = new OwnLimits(new ArrayList<>(), missing);
        ProcessorShare share = new ProcessorShare("0", OptionalDouble.of(1.5));
        limits.processors(new Setting.ProcessorQuota(1.5), share);
        limits.processors(new Setting.ProcessorSet("0"), share);
        assertThat(missing).isEmpty();
        limits.processors(new Setting.ProcessorQuota(1), share);
        limits.processors(new Setting.ProcessorSet("1"), share);
        assertThat(missing).hasSize(2);
    }

    @Test
    void shouldSeeWhetherTheMemoryIsThatOfTheArm() {
        List<String> proof = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        OwnLimits limits = new OwnLimits(proof, missing);
        limits.memory(new Setting.MemoryLimit(32), OptionalLong.of(33_554_432));
        assertThat(proof).containsExactly("memory limited to 33554432 bytes");
        assertThat(missing).isEmpty();
        limits.memory(new Setting.MemoryLimit(32), OptionalLong.of(33_554_433));
        limits.memory(new Setting.MemoryLimit(32), OptionalLong.empty());
        assertThat(missing).containsExactly("memory limited to 33554433 bytes", "no limit of memory");
    }
}
