package org.naklab.lab.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides a run.
 *
 * @param stall how rate and receive buffer were chosen; {@code null}: no stall is wanted
 * @param notes what its user should know beforehand, each one line
 */
public record PlanRecord(
        @JsonUnwrapped Choice choice,
        @Nullable Workload workload,
        @JsonUnwrapped Transport transport,
        @Nullable Sizing stall,
        List<String> notes,
        @JsonUnwrapped Place place,
        @JsonUnwrapped Additions additions) {
    /** Names the scenario and its variant. */
    public record Choice(String scenario, String fidelity, String remedy, long seed) {
        public Choice {
            scenario = Absent.orUnknown(scenario);
            fidelity = Absent.orUnknown(fidelity);
            remedy = Absent.orUnknown(remedy);
        }
    }

    /**
     * Describes the transport of the processes.
     *
     * @param profile of the transport, as a constant
     * @param channels where the topics are multicast; {@code null}: not known
     * @param rateLimiting of the service's snapshots
     */
    public record Transport(
            @Nullable String profile,
            @Nullable Channels channels,
            @Nullable String rateLimiting,
            @Nullable String idle) {}

    /**
     * Tells where the processes and their files are.
     *
     * @param directory where the run leaves its files, as a URI
     * @param aeronPrefix of the processes' Aeron directories
     * @param composition whose services the processes are executed in; {@code null}: none
     */
    public record Place(
            @Nullable String directory,
            @Nullable String aeronPrefix,
            @Nullable Composition composition) {}

    /**
     * Contains what its user changed by options.
     *
     * @param addedFaults entries of a fault plan, in addition to the faults of the scenario; absent if there are none
     * @param journalPageCache what becomes of the journal's pages, {@code polite}; absent if they are kept
     * @param serviceSettings options of {@code naklab run} that set something in the process of the service; absent if there are none
     * @param pins the only CPU of a thread, by the thread's name; absent if there are none
     * @param observedBy {@code none} or {@code full} instruments; absent if they are those of any run
     * @param clients of each gateway; absent if there are none
     */
    public record Additions(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<JsonNode> addedFaults,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String journalPageCache,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> serviceSettings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> pins,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String observedBy,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Integer clients) {
        public Additions {
            addedFaults = Absent.orNone(addedFaults);
            serviceSettings = Absent.orNone(serviceSettings);
            pins = Absent.orNone(pins);
        }
    }

    /**
     * The traffic of the exchange.
     *
     * @param source a recorded file, as a URI; {@code null}: synthetic flow from the seed
     * @param speed factor on the recorded time of a source; 0: constant pace
     * @param gentleStartNs the constant pace is reached after this long; 0: at once
     * @param morning comes before the constant pace; {@code null}: none
     */
    public record Workload(
            @Nullable String source,
            int instruments,
            @Nullable String arrival,
            long eventsPerSecond,
            double speed,
            long gentleStartNs,
            @Nullable Morning morning,
            long durationNs) {}

    /** A busier time before the constant pace. */
    public record Morning(long eventsPerSecond, long riseNs, long durationNs) {}

    /** The multicast addresses of the topics. */
    public record Channels(@Nullable String networkInterface, int ttl, int basePort) {}

    /**
     * Rate and receive buffer, such that the stall overflows the buffer or just fits.
     *
     * @param kernel what a datagram takes of a buffer; {@code null}: not known
     * @param askedBytes SO_RCVBUF to ask for
     */
    public record Sizing(
            long stallNs,
            long eventsPerSecond,
            @Nullable Kernel kernel,
            int askedBytes,
            long stallPayloadBytes,
            long stallDatagrams,
            long stallBufferBytes,
            long expectedGrantedBytes) {}

    /** The measured number of bytes that a datagram takes in a receive buffer. */
    public record Kernel(
            int datagramBytes, int calibrationBytes, int capacityDatagrams, int grantedPerAsked, int maxGrantedBytes) {}

    /** Services of a compose file: its project, and the containers' ids by service. */
    public record Composition(@Nullable String project, Map<String, String> containers) {
        public Composition {
            containers = Absent.orNone(containers);
        }
    }

    public PlanRecord {
        notes = Absent.orNone(notes);
    }
}
