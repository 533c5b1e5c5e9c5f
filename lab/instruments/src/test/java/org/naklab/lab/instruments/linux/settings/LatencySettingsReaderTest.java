package org.naklab.lab.instruments.linux.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.LatencySettings;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LatencySettingsReaderTest {
    @TempDir
    private Path root;

    @Test
    void shouldReadEverySetting() throws IOException {
        write("proc/cmdline", "quiet isolcpus=2-3 preempt=full\n");
        configure("CONFIG_PREEMPT_NONE=y\nCONFIG_HZ=250\n");
        write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
        write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
        write("sys/devices/system/cpu/isolated", "2-3\n");
        write("sys/devices/system/cpu/nohz_full", "3\n");
        write("sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n");
        write("sys/devices/system/cpu/vulnerabilities/spectre_v2", "Mitigation: Retpolines\n");
        write("proc/irq/24/smp_affinity_list", "0-1\n");
        write("proc/irq/25/smp_affinity_list", "0-1\n");
        write("proc/irq/26/smp_affinity_list", "3\n");
        write("proc/cpuinfo", "flags\t\t: fpu hypervisor sse\n");
        write("sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock tsc\n");

        assertThat(LatencySettingsReader.of(root).read())
                .isEqualTo(new LatencySettings(
                        "quiet isolcpus=2-3 preempt=full",
                        new LatencySettings.Kernel("full", 250, "performance, powersave", "madvise"),
                        new LatencySettings.Cpus(Map.of("0-1", 2, "3", 1), "2-3", "3"),
                        Map.of("spectre_v2", "Mitigation: Retpolines"),
                        "KVM"));
    }

    @Test
    void shouldLeaveEmptyWhatTheKernelDoesNotReport() {
        assertThat(LatencySettingsReader.of(root).read())
                .isEqualTo(new LatencySettings(
                        "",
                        new LatencySettings.Kernel("", 0, "", ""),
                        new LatencySettings.Cpus(Map.of(), "", ""),
                        Map.of(),
                        ""));
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', CONFIG_PREEMPT_VOLUNTARY=y, '', voluntary",
        "'', '', CONFIG_PREEMPT=y, '', full",
        "'', '', '# CONFIG_PREEMPT_NONE is not set', '', ''",
        "'', preempt=lazy, CONFIG_PREEMPT_NONE=y, '', lazy",
        "none voluntary (full), preempt=lazy, CONFIG_PREEMPT_NONE=y, '', full",
        "none voluntary (full), preempt=lazy, CONFIG_PREEMPT_RT=y, 1, rt"
    })
    void shouldPreferThePreemptionModelOfNow(String now, String started, String built, String realTime, String expected)
            throws IOException {
        write("sys/kernel/debug/sched/preempt", now);
        write("proc/cmdline", started);
        write("sys/kernel/realtime", realTime);
        configure(built + "\n");

        assertThat(LatencySettingsReader.of(root).read().kernel().preemption()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"'', flags : fpu, '', none", "'', flags : hypervisor, 'VMware7,1', 'VMware7,1'", "xen, x, x, xen"})
    void shouldNameTheHypervisor(String type, String cpus, String model, String expected) throws IOException {
        write("sys/hypervisor/type", type);
        write("proc/cpuinfo", cpus);
        write("sys/class/dmi/id/product_name", model);

        assertThat(LatencySettingsReader.of(root).read().hypervisor()).isEqualTo(expected);
    }

    @Test
    void shouldReadTheConfigurationBesideTheKernel() throws IOException {
        write("proc/sys/kernel/osrelease", "6.1.0-9\n");
        write("boot/config-6.1.0-9", "CONFIG_HZ=1000\n");

        assertThat(LatencySettingsReader.of(root).read().kernel().tickHz()).isEqualTo(1_000);
    }

    private void configure(String text) throws IOException {
        Path file = root.resolve("proc/config.gz");
        Files.createDirectories(root.resolve("proc"));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
