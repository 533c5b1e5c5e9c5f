package org.naklab.lab.replica.service;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.customers.ServingConfig;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * A subscriber's orders.
 *
 * @param journalDirectory {@code null} for a gateway
 * @param lossReportFile where Aeron's loss report is copied before its directory goes
 * @param rateLimiting of the snapshots
 * @param snapshotBitsPerSecond the snapshots' budget
 * @param faultPlan what goes wrong in this process; {@code null}: nothing
 * @param tuning what remedies change
 * @param constraint what it does besides in a container or a control group of its own; {@code null}: it has none
 * @param controlGroups directories of the control groups that the process joins, in one hierarchy each; empty: it stays where it is
 * @param memoryAccounted whether it accounts for what a shortage of memory in its control group costs it
 * @param warmUpNs of the flow, whose events are not in its latencies
 * @param serving how it serves customers; {@code null}: it has none
 * @param referenceData the table from which its feed handler reads; {@code null}: it has none
 */
public record ServiceConfig(
        TransportConfig transport,
        Role role,
        @Nullable String journalDirectory,
        String lossReportFile,
        int ringSlots,
        RateLimitMode rateLimiting,
        long snapshotBitsPerSecond,
        long rateIntervalNs,
        @Nullable FaultPlan faultPlan,
        ServiceTuning tuning,
        @Nullable MemoryConstraint constraint,
        List<String> controlGroups,
        boolean memoryAccounted,
        long warmUpNs,
        @Nullable ServingConfig serving,
        @Nullable ReferenceTable referenceData) {
    /** Takes a document without {@code tuning} as one of a service without a remedy. */
    public ServiceConfig {
        tuning = tuning == null ? ServiceTuning.NONE : tuning;
        controlGroups = controlGroups == null ? List.of() : List.copyOf(controlGroups);
    }

    /** Creates a configuration without faults, remedies and limits of memory. */
    public ServiceConfig(
            TransportConfig transport,
            Role role,
            @Nullable String journalDirectory,
            String lossReportFile,
            int ringSlots,
            RateLimitMode rateLimiting,
            long snapshotBitsPerSecond,
            long rateIntervalNs) {
        this(
                transport,
                role,
                journalDirectory,
                lossReportFile,
                ringSlots,
                rateLimiting,
                snapshotBitsPerSecond,
                rateIntervalNs,
                null,
                ServiceTuning.NONE,
                null,
                List.of(),
                false,
                0,
                null,
                null);
    }

    /** Returns this configuration with a remedy. */
    public ServiceConfig with(ServiceTuning newTuning) {
        return copy(ringSlots, faultPlan, newTuning, controlGroups, memoryAccounted, warmUpNs, serving);
    }

    /** Returns this configuration of a process that joins control groups, in one hierarchy each. */
    public ServiceConfig inControlGroups(List<Path> directories) {
        List<String> newControlGroups = directories.stream().map(Path::toString).toList();
        return copy(ringSlots, faultPlan, tuning, newControlGroups, memoryAccounted, warmUpNs, serving);
    }

    /** Returns this configuration of a process that accounts for what a shortage of memory costs it. */
    public ServiceConfig withMemoryAccount() {
        return copy(ringSlots, faultPlan, tuning, controlGroups, true, warmUpNs, serving);
    }

    /** Returns this configuration for a flow with a warm-up. */
    public ServiceConfig withWarmUpNs(long newWarmUpNs) {
        return copy(ringSlots, faultPlan, tuning, controlGroups, memoryAccounted, newWarmUpNs, serving);
    }

    /** Returns this configuration with another ring size, a power of two. */
    public ServiceConfig withRingSlots(int newRingSlots) {
        return copy(newRingSlots, faultPlan, tuning, controlGroups, memoryAccounted, warmUpNs, serving);
    }

    /** Returns this configuration with faults. */
    public ServiceConfig with(FaultPlan newFaultPlan) {
        return copy(ringSlots, newFaultPlan, tuning, controlGroups, memoryAccounted, warmUpNs, serving);
    }

    private ServiceConfig copy(
            int newRingSlots,
            @Nullable FaultPlan newFaultPlan,
            ServiceTuning newTuning,
            List<String> newControlGroups,
            boolean isMemoryAccounted,
            long newWarmUpNs,
            @Nullable ServingConfig newServing) {
        return new ServiceConfig(
                transport,
                role,
                journalDirectory,
                lossReportFile,
                newRingSlots,
                rateLimiting,
                snapshotBitsPerSecond,
                rateIntervalNs,
                newFaultPlan,
                newTuning,
                constraint,
                newControlGroups,
                isMemoryAccounted,
                newWarmUpNs,
                newServing,
                referenceData);
    }

    /** Returns this configuration of a process that serves customers. */
    public ServiceConfig serving(ServingConfig customers) {
        return copy(ringSlots, faultPlan, tuning, controlGroups, memoryAccounted, warmUpNs, customers);
    }

    /** Returns this configuration for a container: with other paths and another interface. */
    public ServiceConfig inContainer(TransportConfig newTransport, String directory, MemoryConstraint newConstraint) {
        return elsewhere(
                newTransport,
                journalDirectory == null ? null : directory + "/journal",
                directory + "/loss-report.dat",
                newConstraint,
                referenceData);
    }

    /** Returns this configuration of a process whose memory is constrained in its control groups. */
    public ServiceConfig confined(TransportConfig newTransport, MemoryConstraint newConstraint) {
        return elsewhere(newTransport, journalDirectory, lossReportFile, newConstraint, referenceData);
    }

    /** Returns this configuration of a process whose feed handler reads from a table. */
    public ServiceConfig with(ReferenceTable table) {
        return elsewhere(transport, journalDirectory, lossReportFile, constraint, table);
    }

    private ServiceConfig elsewhere(
            TransportConfig newTransport,
            @Nullable String newJournalDirectory,
            String newLossReportFile,
            @Nullable MemoryConstraint newConstraint,
            @Nullable ReferenceTable newReferenceData) {
        return new ServiceConfig(
                newTransport,
                role,
                newJournalDirectory,
                newLossReportFile,
                ringSlots,
                rateLimiting,
                snapshotBitsPerSecond,
                rateIntervalNs,
                faultPlan,
                tuning,
                newConstraint,
                controlGroups,
                memoryAccounted,
                warmUpNs,
                serving,
                newReferenceData);
    }
}
