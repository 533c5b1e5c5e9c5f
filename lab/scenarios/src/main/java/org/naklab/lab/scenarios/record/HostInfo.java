package org.naklab.lab.scenarios.record;

import com.sun.jna.Function;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machine, as far as it tells. */
final class HostInfo {
    private static final Pattern PROCESSOR = Pattern.compile("(?m)^(?:model name|Model|cpu model)\\s*:\\s*(.+)$");
    private static final Pattern LINE = Pattern.compile("(.+)");

    private HostInfo() {}

    static String name() {
        return firstOf(LINE, Path.of("/proc/sys/kernel/hostname"));
    }

    static String processor() {
        return firstOf(PROCESSOR, Path.of("/proc/cpuinfo"));
    }

    /** The C library: what binds symbols late, or does not. */
    static String libc() {
        try {
            return "glibc " + Function.getFunction("c", "gnu_get_libc_version").invokeString(new Object[0], false);
        } catch (UnsatisfiedLinkError e) {
            // Another one, or another operating system.
            return "not glibc";
        }
    }

    static long memoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** The flags that all of the run's processes share, and this one's own. */
    static List<String> jvmArguments() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    private static String firstOf(Pattern pattern, Path file) {
        try {
            Matcher found = pattern.matcher(Files.readString(file));
            return found.find() ? found.group(1).strip() : "unknown";
        } catch (IOException e) {
            // Not this system's way to tell; the record says so.
            return "unknown";
        }
    }
}
