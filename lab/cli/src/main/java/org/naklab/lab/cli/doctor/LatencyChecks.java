package org.naklab.lab.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.naklab.lab.core.LatencySettings;
import org.naklab.lab.core.trace.InterruptsOff;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.instruments.linux.settings.LatencySettingsReader;

/** Checks the settings of the kernel on which latencies of microseconds depend, and the kernel's own tools for measuring them. */
final class LatencyChecks {
    private static final int SHORT_TICK_HZ = 1_000;
    private static final Path BTF = Path.of("/sys/kernel/btf/vmlinux");
    private static final List<Path> TRACE_DIRECTORIES =
            List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));
    /** Tracepoint groups: without tracefs, the types of their arguments in the kernel's BTF tell that they exist. */
    private static final Map<String, String> INTERRUPT_TRACEPOINTS =
            Map.of("irq", "btf_trace_irq_handler_entry", "irq_vectors", "btf_trace_local_timer_entry");

    private static final String OF_INTERRUPTS_OFF = "btf_trace_irq_disable";

    private final LatencySettings settings;
    private final Path btf;
    private final List<Path> traceDirectories;

    LatencyChecks(LatencySettings settings, Path btf, List<Path> traceDirectories) {
        this.settings = settings;
        this.btf = btf;
        this.traceDirectories = List.copyOf(traceDirectories);
    }

    static List<Check> all() {
        return new LatencyChecks(LatencySettingsReader.readThisMachine(), BTF, TRACE_DIRECTORIES).checks();
    }

    List<Check> checks() {
        return List.of(
                this::isolatedCpus,
                this::interruptAffinity,
                this::governor,
                this::preemption,
                this::tick,
                this::hugePages,
                this::interruptTracepoints,
                this::interruptsOff,
                () -> tracer("osnoise", "osnoise_main"),
                () -> tracer("timerlat", "timerlat_main"),
                LatencyChecks::rtla);
    }

    private CheckResult isolatedCpus() {
        boolean isIsolated = !settings.cpus().isolatedCpus().isEmpty();
        String tickless = settings.cpus().ticklessCpus();
        return CheckResult.of(
                "isolated CPUs",
                isIsolated,
                isIsolated
                        ? settings.cpus().isolatedCpus() + (tickless.isEmpty() ? "" : ", tickless " + tickless)
                        : "none",
                "other threads may run on the receipt thread's CPU; boot with isolcpus=CPUS nohz_full=CPUS");
    }

    /** With isolated CPUs, no interrupt should be allowed on one of them. */
    private CheckResult interruptAffinity() {
        String found = settings.cpus().irqAffinity().entrySet().stream()
                .map(entry -> entry.getValue() + " on CPUs " + entry.getKey())
                .collect(Collectors.joining(", "));
        List<Integer> isolated = ThreadAffinity.parse(settings.cpus().isolatedCpus());
        boolean isApart = !isolated.isEmpty()
                && settings.cpus().irqAffinity().keySet().stream()
                        .flatMap(list -> ThreadAffinity.parse(list).stream())
                        .noneMatch(isolated::contains);
        return CheckResult.of(
                "IRQ affinity",
                isApart,
                found.isEmpty() ? "not reported" : found,
                isolated.isEmpty()
                        ? "any CPU handles interrupts; keep one free: echo LIST > /proc/irq/N/smp_affinity_list"
                        : "interrupts run on isolated CPUs: echo LIST > /proc/irq/N/smp_affinity_list");
    }

    private CheckResult governor() {
        String found = settings.kernel().governor();
        return CheckResult.of(
                "CPU governor",
                found.isEmpty() || found.equals("performance"),
                found.isEmpty() ? "no frequency control" : found,
                "cpupower frequency-set -g performance");
    }

    private CheckResult preemption() {
        String found = settings.kernel().preemption();
        return CheckResult.of(
                "preemption model",
                !found.isEmpty(),
                found.isEmpty() ? "not reported" : found,
                "mount -t debugfs debugfs /sys/kernel/debug (then it is in sched/preempt)");
    }

    private CheckResult tick() {
        int hz = settings.kernel().tickHz();
        return CheckResult.of(
                "scheduler tick",
                hz > 0,
                hz == 0 ? "not reported" : hz + " Hz: a time slice ends at the next " + tickMs(hz) + " ms",
                "the kernel's configuration is neither in /proc/config.gz nor in /boot");
    }

    private static String tickMs(int hz) {
        return hz > SHORT_TICK_HZ || SHORT_TICK_HZ % hz != 0
                ? String.format(Locale.ROOT, "%.1f", (double) SHORT_TICK_HZ / hz)
                : String.valueOf(SHORT_TICK_HZ / hz);
    }

    private CheckResult hugePages() {
        String found = settings.kernel().hugePages();
        return CheckResult.of(
                "huge pages",
                !found.equals("always"),
                found.isEmpty() ? "no transparent huge pages" : "transparent: " + found,
                "the kernel compacts memory when it pleases: echo madvise > "
                        + "/sys/kernel/mm/transparent_hugepage/enabled");
    }

    private CheckResult interruptTracepoints() {
        List<String> present = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        new TreeMap<>(INTERRUPT_TRACEPOINTS)
                .forEach((group, type) -> (hasTracepoints(group, type) ? present : absent).add(group));
        return CheckResult.of(
                "interrupt tracepoints",
                absent.isEmpty(),
                present.isEmpty() ? "none" : String.join(", ", present),
                "interrupts of the receipt thread cannot be recorded: " + String.join(", ", absent) + " missing");
    }

    private CheckResult interruptsOff() {
        boolean isThere = hasTracepoints(InterruptsOff.GROUP, OF_INTERRUPTS_OFF);
        return CheckResult.of(
                "interrupts off",
                isThere,
                isThere ? InterruptsOff.GROUP : "not on this kernel",
                "needs CONFIG_IRQSOFF_TRACER; the report tells the latest ticks in place of the sections without interrupts");
    }

    private boolean hasTracepoints(String group, String type) {
        return traceDirectories.stream().anyMatch(directory -> Files.isDirectory(directory.resolve("events/" + group)))
                || isInBtf(type);
    }

    private boolean isInBtf(String name) {
        try {
            return new String(Files.readAllBytes(btf), StandardCharsets.ISO_8859_1).contains("\0" + name + "\0");
        } catch (IOException e) {
            // This kernel has no type information, and the recorder cannot use its tracepoints.
            return false;
        }
    }

    /** Without tracefs, a function of the tracer in the kernel's type information tells that it exists. */
    private CheckResult tracer(String name, String function) {
        List<String> lists = traceDirectories.stream()
                .map(directory -> text(directory.resolve("available_tracers")))
                .filter(list -> !list.isEmpty())
                .toList();
        boolean isThere = lists.isEmpty()
                ? isInBtf(function)
                : lists.stream().anyMatch(list -> List.of(list.split(" ")).contains(name));
        return CheckResult.of(
                name,
                isThere,
                isThere ? "tracer of the kernel" : "this kernel has no such tracer",
                "needs CONFIG_" + name.toUpperCase(Locale.ROOT) + "_TRACER; the lab records interrupts by itself");
    }

    private static String text(Path file) {
        try {
            return KernelSetting.text(file);
        } catch (IOException e) {
            // Tracefs is not mounted there, or this user must not read it.
            return "";
        }
    }

    private static CheckResult rtla() {
        Tool rtla = Tool.run("rtla", "--version");
        return CheckResult.of(
                "rtla", rtla.works(), rtla.firstLine(), "apt-get install rtla (runs osnoise and timerlat; optional)");
    }
}
