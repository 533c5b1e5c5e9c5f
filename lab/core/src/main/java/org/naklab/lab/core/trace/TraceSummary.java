package org.naklab.lab.core.trace;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells how a trace was recorded: {@code window-trace.json}.
 *
 * @param bufferKiB of each CPU
 * @param cpus what the kernel says about the ring of each CPU
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record TraceSummary(
        @JsonUnwrapped Trigger trigger,
        @JsonUnwrapped Times times,
        int bufferKiB,
        List<Cpu> cpus,
        @JsonUnwrapped Sources sources) {
    /**
     * Tells why the trace was stopped.
     *
     * @param trip type of the event that stopped it; {@code null}: it was stopped when the window was written
     * @param process of that event
     * @param thread of that event; empty if it has none
     */
    public record Trigger(
            @Nullable String trip,
            @Nullable String process,
            @Nullable String thread) {}

    /**
     * Tells when it was stopped.
     *
     * @param eventNs time of that event, CLOCK_MONOTONIC, ns
     * @param reportedNs when an instrument reported the event, CLOCK_MONOTONIC, ns
     * @param stoppedNs when the ring no longer recorded, CLOCK_MONOTONIC, ns
     * @param stopLatencyUs from the report of the event to the stop, microseconds
     */
    public record Times(long eventNs, long reportedNs, long stoppedNs, double stopLatencyUs) {}

    /**
     * Names what is in the trace, and what is not.
     *
     * @param events the tracepoints that were recorded
     * @param tracers tracers of the kernel that recorded as well
     * @param missing tracepoints that the kernel does not have
     */
    public record Sources(List<String> events, List<String> tracers, List<String> missing) {
        public Sources {
            events = events == null ? List.of() : List.copyOf(events);
            tracers = tracers == null ? List.of() : List.copyOf(tracers);
            missing = missing == null ? List.of() : List.copyOf(missing);
        }
    }

    /** The name of the file. */
    public static final String NAME = "window-trace.json";

    public TraceSummary {
        cpus = cpus == null ? List.of() : List.copyOf(cpus);
    }

    /**
     * The ring of one CPU.
     *
     * @param entries events that it held when it was stopped
     * @param overwritten events that were overwritten by later ones; all are older than {@code oldestNs}
     * @param lost events that it could not take, within the time that it covers
     * @param oldestNs time of its oldest event, CLOCK_MONOTONIC, ns
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Cpu(int cpu, long entries, long overwritten, long lost, long oldestNs) {}

    /** Returns the number of events that no CPU's ring could take, within the time that it covers. */
    public long lost() {
        return cpus.stream().mapToLong(Cpu::lost).sum();
    }
}
