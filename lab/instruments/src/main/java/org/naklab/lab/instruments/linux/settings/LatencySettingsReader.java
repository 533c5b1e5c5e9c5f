package org.naklab.lab.instruments.linux.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.naklab.lab.core.LatencySettings;
import org.naklab.lab.instruments.linux.KernelSetting;

/** Reads the settings on which latencies depend from the files of the kernel below a root directory. A file that cannot be read leaves its setting empty. */
public final class LatencySettingsReader {
    private static final String CPUS = "sys/devices/system/cpu";
    private static final Pattern CHOSEN = Pattern.compile("[(\\[](\\w+)[)\\]]");
    private static final Pattern BOOTED = Pattern.compile("(?:^|\\s)preempt=(\\w+)");
    private static final Pattern BUILT =
            Pattern.compile("(?m)^CONFIG_PREEMPT_(?:(RT|NONE|VOLUNTARY|LAZY)=y)|^CONFIG_PREEMPT=(y)");
    private static final Pattern HZ = Pattern.compile("(?m)^CONFIG_HZ=(\\d+)$");
    private static final Pattern VIRTUAL = Pattern.compile("(?m)^flags\\s*:.*\\bhypervisor\\b");
    private static final Pattern VIRTUAL_MODEL =
            Pattern.compile("(?i)virtual|kvm|qemu|vmware|xen|bochs|cloud|amazon ec2");

    private final Path root;
    private final String configuration;

    private LatencySettingsReader(Path root) {
        this.root = root;
        configuration = configuration();
    }

    /** Returns the settings of this machine. */
    public static LatencySettings readThisMachine() {
        return of(Path.of("/")).read();
    }

    static LatencySettingsReader of(Path root) {
        return new LatencySettingsReader(root);
    }

    LatencySettings read() {
        return new LatencySettings(
                text("proc/cmdline"),
                new LatencySettings.Kernel(
                        preemption(),
                        Integer.parseInt(first(HZ, configuration, "0")),
                        governor(),
                        first(CHOSEN, text("sys/kernel/mm/transparent_hugepage/enabled"), "")),
                new LatencySettings.Cpus(irqAffinity(), text(CPUS + "/isolated"), text(CPUS + "/nohz_full")),
                mitigations(),
                hypervisor());
    }

    /** Reads it from debugfs, where it can change at any time; or else as the kernel was started, or else as it was built. */
    private String preemption() {
        if (text("sys/kernel/realtime").equals("1")) {
            return "rt";
        }
        String now = first(CHOSEN, text("sys/kernel/debug/sched/preempt"), "");
        String started = first(BOOTED, text("proc/cmdline"), "");
        if (!now.isEmpty() || !started.isEmpty()) {
            return now.isEmpty() ? started : now;
        }
        Matcher built = BUILT.matcher(configuration);
        if (!built.find()) {
            return "";
        }
        return built.group(1) == null ? "full" : built.group(1).toLowerCase(Locale.ROOT);
    }

    private String governor() {
        TreeSet<String> governors = new TreeSet<>();
        for (Path cpu : entries(CPUS, "cpu[0-9]*")) {
            governors.add(text(cpu.resolve("cpufreq/scaling_governor")));
        }
        governors.remove("");
        return String.join(", ", governors);
    }

    private Map<String, Integer> irqAffinity() {
        Map<String, Integer> interrupts = new TreeMap<>();
        for (Path interrupt : entries("proc/irq", "[0-9]*")) {
            String cpus = text(interrupt.resolve("smp_affinity_list"));
            if (!cpus.isEmpty()) {
                interrupts.merge(cpus, 1, Integer::sum);
            }
        }
        return interrupts;
    }

    private Map<String, String> mitigations() {
        Map<String, String> states = new TreeMap<>();
        for (Path vulnerability : entries(CPUS + "/vulnerabilities", "*")) {
            String state = text(vulnerability);
            if (!state.isEmpty() && !state.equals("Not affected")) {
                states.put(String.valueOf(vulnerability.getFileName()), state);
            }
        }
        return states;
    }

    /** Reads its name as it is given to the guest: in a file of Xen, in the firmware, or by its clock. */
    private String hypervisor() {
        String type = text("sys/hypervisor/type");
        if (!type.isEmpty()) {
            return type;
        }
        String cpus = text("proc/cpuinfo");
        String model = text("sys/class/dmi/id/product_name");
        boolean isVirtualModel = VIRTUAL_MODEL.matcher(model).find();
        if (!isVirtualModel && !VIRTUAL.matcher(cpus).find()) {
            return cpus.isEmpty() ? "" : "none";
        }
        String clocks = text("sys/devices/system/clocksource/clocksource0/available_clocksource");
        if (clocks.contains("kvm")) {
            return "KVM";
        }
        if (clocks.contains("hyperv")) {
            return "Hyper-V";
        }
        return model.isEmpty() ? "unknown" : model;
    }

    private String configuration() {
        Path packed = root.resolve("proc/config.gz");
        try (InputStream file = Files.newInputStream(packed);
                InputStream in = new GZIPInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // This kernel does not have its configuration in it; distributions keep a copy beside the kernel.
            return text("boot/config-" + text("proc/sys/kernel/osrelease"));
        }
    }

    private List<Path> entries(String name, String pattern) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(root.resolve(name), pattern)) {
            stream.forEach(entries::add);
        } catch (IOException e) {
            // This kernel has no such directory; the setting is empty.
            return List.of();
        }
        return entries;
    }

    private String text(String name) {
        return text(root.resolve(name));
    }

    private static String text(Path file) {
        try {
            return KernelSetting.text(file);
        } catch (IOException e) {
            // This kernel has no such file, or this user must not read it; the setting is empty.
            return "";
        }
    }

    private static String first(Pattern pattern, String text, String otherwise) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : otherwise;
    }
}
