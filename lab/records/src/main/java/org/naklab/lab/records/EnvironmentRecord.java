package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LatencySettings;

/**
 * The host, JVM and libraries of a run. Values that an older version did not write are {@code null}, 0 or empty.
 *
 * @param naklab its version
 * @param vm name and vendor of the JVM
 * @param os name of the operating system
 * @param kernel its version
 * @param memoryBytes of the machine
 * @param rmemMaxBytes {@code net.core.rmem_max}; {@code null}: the system has none
 * @param commit of the lab's source code; {@code null}: the lab does not run from a repository
 * @param settings on which latencies depend
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EnvironmentRecord(
        @Nullable String naklab,
        @Nullable String host,
        @Nullable String jdk,
        @Nullable String vm,
        @Nullable String os,
        @Nullable String kernel,
        @Nullable String architecture,
        @Nullable String processor,
        @Nullable Integer cores,
        @Nullable Long memoryBytes,
        @Nullable String libc,
        @Nullable String aeron,
        @Nullable String agrona,
        @Nullable String chronicleQueue,
        List<String> jvmArguments,
        @Nullable Long rmemMaxBytes,
        @Nullable String commit,
        @Nullable LatencySettings settings) {
    public EnvironmentRecord {
        jvmArguments = Absent.orNone(jvmArguments);
    }
}
