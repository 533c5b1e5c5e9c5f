package org.naklab.lab.cases;

import com.sun.jna.Function;
import com.sun.management.OperatingSystemMXBean;
import io.aeron.Aeron;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.naklab.lab.core.Format;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.lab.instruments.linux.settings.LatencySettingsReader;
import org.naklab.lab.records.EnvironmentRecord;

/** Describes the host, the JVM and the libraries of a run, on which its figures depend. */
public final class RunEnvironment {
    private static final String CHRONICLE_PROPERTIES = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private static final String OS = System.getProperty("os.name");
    private static final String KERNEL = System.getProperty("os.version");

    private static final Pattern PROCESSOR = Pattern.compile("(?m)^(?:model name|Model|cpu model)\\s*:\\s*(.+)$");
    private static final Pattern LINE = Pattern.compile("(.+)");

    private RunEnvironment() {}

    /**
     * Returns the description of this host and JVM.
     *
     * @param version of the program that runs
     */
    public static EnvironmentRecord describe(String version) {
        OptionalLong rmemMaxBytes = KernelSetting.rmemMaxBytes();
        return new EnvironmentRecord(
                new EnvironmentRecord.ProgramFacts(
                        version,
                        hostName(),
                        Runtime.version().toString(),
                        System.getProperty("java.vm.name") + ", " + System.getProperty("java.vm.vendor")),
                new EnvironmentRecord.Machine(
                        OS,
                        KERNEL,
                        System.getProperty("os.arch"),
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        memoryBytes(),
                        libc()),
                new EnvironmentRecord.Libraries(
                        versionOf(Aeron.class), versionOf(DirectBuffer.class), chronicleVersion()),
                jvmArguments(),
                rmemMaxBytes.isPresent() ? rmemMaxBytes.getAsLong() : null,
                LabCommit.find().orElse(null),
                LatencySettingsReader.readThisMachine());
    }

    /** Returns the machine and the JVM in a few words: "2 CPUs (Intel Xeon), Linux 6.18.5, JDK 17.0.12". */
    public static String inShort() {
        return Format.counted(Runtime.getRuntime().availableProcessors(), "CPU") + " (" + processor() + "), " + OS + " "
                + KERNEL + ", JDK " + Runtime.version();
    }

    private static String versionOf(Class<?> type) {
        String version = type.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Returns the version from the properties that Maven adds to the jar, because its manifest has only that of the bundle. */
    private static String chronicleVersion() {
        Properties properties = new Properties();
        try (InputStream in = RunEnvironment.class.getResourceAsStream(CHRONICLE_PROPERTIES)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + CHRONICLE_PROPERTIES, e);
        }
        return properties.getProperty("version", "unknown");
    }

    private static String hostName() {
        return firstOf(LINE, Path.of("/proc/sys/kernel/hostname"));
    }

    private static String processor() {
        return firstOf(PROCESSOR, Path.of("/proc/cpuinfo"));
    }

    /** Returns the name of the C library, which decides whether symbols are bound late. */
    private static String libc() {
        try {
            return "glibc " + Function.getFunction("c", "gnu_get_libc_version").invokeString(new Object[0], false);
        } catch (UnsatisfiedLinkError e) {
            // Another C library, or another operating system.
            return "not glibc";
        }
    }

    private static long memoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** Returns the flags of this JVM; the processes of a run share most of them. */
    private static List<String> jvmArguments() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    private static String firstOf(Pattern pattern, Path file) {
        try {
            Matcher found = pattern.matcher(Files.readString(file));
            return found.find() ? found.group(1).strip() : "unknown";
        } catch (IOException e) {
            // The file does not exist on this system; the record says so.
            return "unknown";
        }
    }
}
