package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.LatencySettings;

/**
 * The host, JVM and libraries of a run. Values that an older version did not write are {@code null}, 0 or empty.
 *
 * @param rmemMaxBytes {@code net.core.rmem_max}; {@code null}: the system has none
 * @param commit of the lab's source code; {@code null}: the lab does not run from a repository
 * @param settings on which latencies depend
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EnvironmentRecord(
        @JsonUnwrapped ProgramFacts program,
        @JsonUnwrapped Machine machine,
        @JsonUnwrapped Libraries libraries,
        List<String> jvmArguments,
        @Nullable Long rmemMaxBytes,
        @Nullable String commit,
        @Nullable LatencySettings settings) {
    /**
     * Names the program, its host and its JVM.
     *
     * @param naklab its version
     * @param vm name and vendor of the JVM
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ProgramFacts(
            @Nullable String naklab,
            @Nullable String host,
            @Nullable String jdk,
            @Nullable String vm) {}

    /**
     * Describes the machine and its system.
     *
     * @param os name of the operating system
     * @param kernel its version
     * @param memoryBytes of the machine
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Machine(
            @Nullable String os,
            @Nullable String kernel,
            @Nullable String architecture,
            @Nullable String processor,
            @Nullable Integer cores,
            @Nullable Long memoryBytes,
            @Nullable String libc) {}

    /** Contains the versions of the libraries. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Libraries(
            @Nullable String aeron,
            @Nullable String agrona,
            @Nullable String chronicleQueue) {}

    public EnvironmentRecord {
        jvmArguments = Absent.orNone(jvmArguments);
    }
}
