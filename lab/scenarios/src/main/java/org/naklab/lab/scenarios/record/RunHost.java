package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aeron.Aeron;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import net.openhft.chronicle.queue.ChronicleQueue;
import org.agrona.DirectBuffer;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.linux.KernelSetting;

/** What a run's figures depend on beside its plan. */
final class RunHost {
    private static final String CHRONICLE_PROPERTIES = "/META-INF/maven/net.openhft/chronicle-queue/pom.properties";

    private RunHost() {}

    static ObjectNode describe(String version) {
        ObjectNode environment = Json.object()
                .put("naklab", version)
                .put("host", HostInfo.name())
                .put("jdk", Runtime.version().toString())
                .put("vm", System.getProperty("java.vm.name") + ", " + System.getProperty("java.vm.vendor"))
                .put("os", System.getProperty("os.name"))
                .put("kernel", System.getProperty("os.version"))
                .put("architecture", System.getProperty("os.arch"))
                .put("processor", HostInfo.processor())
                .put("cores", Runtime.getRuntime().availableProcessors())
                .put("memoryBytes", HostInfo.memoryBytes())
                .put("libc", HostInfo.libc())
                .put("aeron", versionOf(Aeron.class))
                .put("agrona", versionOf(DirectBuffer.class))
                .put("chronicleQueue", chronicleVersion());
        HostInfo.jvmArguments().forEach(environment.putArray("jvmArguments")::add);
        KernelSetting.rmemMaxBytes().ifPresent(bytes -> environment.put("rmemMaxBytes", bytes));
        return environment;
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
