package org.naklab.lab.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LatencySettings;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LatencyChecksTest {
    private static final LatencySettings TUNED = settings(
            new LatencySettings.Kernel("full", 1_000, "performance", "madvise"),
            new LatencySettings.Cpus(Map.of("0-1", 19), "2-3", "3"));
    private static final LatencySettings UNTUNED = settings(
            new LatencySettings.Kernel("", 0, "powersave", "always"),
            new LatencySettings.Cpus(Map.of("0-3", 4), "", ""));
    private static final LatencySettings INTERRUPTED = settings(
            new LatencySettings.Kernel("none", 300, "", "never"),
            new LatencySettings.Cpus(Map.of("0-1", 4, "2", 1), "2-3", ""));

    @TempDir
    private Path directory;

    @Test
    void shouldFindNothingToAdviseOnATunedMachine() {
        for (CheckResult result : results(TUNED).subList(0, 6)) {
            assertThat(result.ok()).as(result.name()).isTrue();
            assertThat(result.advice()).isEmpty();
        }
        assertThat(result("isolated CPUs", TUNED).found()).isEqualTo("2-3, tickless 3");
        assertThat(result("IRQ affinity", TUNED).found()).isEqualTo("19 on CPUs 0-1");
    }

    @Test
    void shouldAdviseOnEachSettingThatCostsLatency() {
        for (CheckResult result : results(UNTUNED).subList(0, 6)) {
            assertThat(result.ok()).as(result.name()).isFalse();
            assertThat(result.advice()).as(result.name()).isNotEmpty();
            assertThat(result.needed()).as("a run works without").isFalse();
        }
    }

    @Test
    void shouldNoticeAnInterruptThatMayRunOnAnIsolatedCpu() {
        CheckResult affinity = result("IRQ affinity", INTERRUPTED);
        assertThat(affinity.ok()).isFalse();
        assertThat(affinity.advice()).contains("isolated CPUs");
        assertThat(result("scheduler tick", INTERRUPTED).found()).contains("3.3 ms");
    }

    @Test
    void shouldTellTracersByTheList() throws IOException {
        Files.writeString(directory.resolve("available_tracers"), "blk timerlat function nop\n");
        assertThat(result("timerlat", TUNED).ok()).isTrue();
        assertThat(result("osnoise", TUNED).ok()).isFalse();
        assertThat(result("osnoise", TUNED).advice()).contains("CONFIG_OSNOISE_TRACER");
    }

    @Test
    void shouldTellTracersByTheTypesWithoutTracefs() throws IOException {
        Files.writeString(directory.resolve("vmlinux"), "\0a\0osnoise_main\0timerlat_main_other\0");
        assertThat(result("osnoise", TUNED).ok()).isTrue();
        assertThat(result("timerlat", TUNED).ok()).isFalse();
    }

    @Test
    void shouldTellWhichInterruptTracepointsAreMissing() throws IOException {
        Files.createDirectories(directory.resolve("events/irq"));
        CheckResult half = result("interrupt tracepoints", TUNED);
        assertThat(half.found()).isEqualTo("irq");
        assertThat(half.advice()).contains("irq_vectors missing");
        Files.writeString(directory.resolve("vmlinux"), "\0btf_trace_local_timer_entry\0");
        assertThat(result("interrupt tracepoints", TUNED).ok()).isTrue();
    }

    /** The groups of a kernel of a distribution, and one more of a kernel that is built to trace latencies. */
    @Test
    void shouldTellWhetherTheKernelSaysWhenInterruptsAreOff() throws IOException {
        for (String group : List.of("exceptions", "irq", "irq_vectors", "sched", "timer")) {
            Files.createDirectories(directory.resolve("events").resolve(group));
        }
        assertThat(result("interrupts off", TUNED).ok()).isFalse();
        assertThat(result("interrupts off", TUNED).found()).isEqualTo("not on this kernel");
        assertThat(result("interrupts off", TUNED).advice()).contains("CONFIG_IRQSOFF_TRACER");
        Files.createDirectories(directory.resolve("events/preemptirq"));
        assertThat(result("interrupts off", TUNED).ok()).isTrue();
    }

    private CheckResult result(String name, LatencySettings settings) {
        return results(settings).stream()
                .filter(result -> result.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<CheckResult> results(LatencySettings settings) {
        return new LatencyChecks(settings, directory.resolve("vmlinux"), List.of(directory))
                .checks().stream().map(Check::examine).toList();
    }

    private static LatencySettings settings(LatencySettings.Kernel kernel, LatencySettings.Cpus cpus) {
        return new LatencySettings("", kernel, cpus, Map.of(), "none");
    }
}
