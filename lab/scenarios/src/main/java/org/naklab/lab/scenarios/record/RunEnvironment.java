package org.naklab.lab.scenarios.record;

import io.aeron.Aeron;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.Properties;
import net.openhft.chronicle.queue.ChronicleQueue;
import org.agrona.DirectBuffer;
import org.naklab.lab.instruments.linux.KernelSetting;
import org.naklab.lab.runs.record.EnvironmentRecord;

/** Describes what a run's figures depend on beside its plan. */
final class RunEnvironment {
    private static final String CHRONICLE_PROPERTIES = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private RunEnvironment() {}

    static EnvironmentRecord describe(String version) {
        OptionalLong rmemMaxBytes = KernelSetting.rmemMaxBytes();
        return new EnvironmentRecord(
                version,
                HostInfo.name(),
                Runtime.version().toString(),
                System.getProperty("java.vm.name") + ", " + System.getProperty("java.vm.vendor"),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                HostInfo.processor(),
                Runtime.getRuntime().availableProcessors(),
                HostInfo.memoryBytes(),
                HostInfo.libc(),
                versionOf(Aeron.class),
                versionOf(DirectBuffer.class),
                chronicleVersion(),
                HostInfo.jvmArguments(),
                rmemMaxBytes.isPresent() ? rmemMaxBytes.getAsLong() : null);
    }

    private static String versionOf(Class<?> type) {
        String version = type.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** Its jar's manifest has none but the bundle's; Maven's own note of it has. */
    private static String chronicleVersion() {
        Properties properties = new Properties();
        try (InputStream in = ChronicleQueue.class.getResourceAsStream(CHRONICLE_PROPERTIES)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + CHRONICLE_PROPERTIES, e);
        }
        return properties.getProperty("version", "unknown");
    }
}
