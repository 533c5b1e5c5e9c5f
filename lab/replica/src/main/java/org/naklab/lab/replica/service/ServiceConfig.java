package org.naklab.lab.replica.service;

import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.replica.process.Role;
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
 * @param preTouch whether it binds {@code sched_yield} before anything waits for that
 * @param confinement what it does besides in a container of its own; {@code null}: it has none
 * @param withoutYield whether the context thread goes on with its duty cycle when a wake-up fails, and does not yield
 * @param journalPages what becomes of the journal's pages in the page cache
 * @param memoryGroup directory of the memory control group that the process joins; {@code null}: it stays where it is
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
        boolean preTouch,
        @Nullable MemoryConstraint confinement,
        boolean withoutYield,
        PageCachePolicy journalPages,
        @Nullable String memoryGroup) {
    /** Takes a document without {@code journalPages} as one whose pages are kept. */
    public ServiceConfig {
        journalPages = journalPages == null ? PageCachePolicy.KEPT : journalPages;
    }

    /** Creates a configuration of a context thread that yields when a wake-up fails, and of a journal whose pages are kept. */
    public ServiceConfig(
            TransportConfig transport,
            Role role,
            @Nullable String journalDirectory,
            String lossReportFile,
            int ringSlots,
            RateLimitMode rateLimiting,
            long snapshotBitsPerSecond,
            long rateIntervalNs,
            @Nullable FaultPlan faultPlan,
            boolean preTouch,
            @Nullable MemoryConstraint confinement) {
        this(
                transport,
                role,
                journalDirectory,
                lossReportFile,
                ringSlots,
                rateLimiting,
                snapshotBitsPerSecond,
                rateIntervalNs,
                faultPlan,
                preTouch,
                confinement,
                false,
                PageCachePolicy.KEPT,
                null);
    }

    /** Returns this configuration with a context thread that never yields. */
    public ServiceConfig neverYielding() {
        return copy(ringSlots, faultPlan, preTouch, true, journalPages, memoryGroup);
    }

    /** Returns this configuration with another policy of the journal's pages. */
    public ServiceConfig withJournalPages(PageCachePolicy newJournalPages) {
        return copy(ringSlots, faultPlan, preTouch, withoutYield, newJournalPages, memoryGroup);
    }

    /** Returns this configuration of a process that joins a memory control group. */
    public ServiceConfig inMemoryGroup(String newMemoryGroup) {
        return copy(ringSlots, faultPlan, preTouch, withoutYield, journalPages, newMemoryGroup);
    }

    /** Returns this configuration with another ring size, a power of two. */
    public ServiceConfig withRingSlots(int newRingSlots) {
        return copy(newRingSlots, faultPlan, preTouch, withoutYield, journalPages, memoryGroup);
    }

    /** Returns this configuration with faults. */
    public ServiceConfig with(FaultPlan newFaultPlan) {
        return copy(ringSlots, newFaultPlan, preTouch, withoutYield, journalPages, memoryGroup);
    }

    /** Returns this configuration with pages touched and the symbol bound before anything waits for that. */
    public ServiceConfig preTouched() {
        return copy(ringSlots, faultPlan, true, withoutYield, journalPages, memoryGroup);
    }

    private ServiceConfig copy(
            int newRingSlots,
            @Nullable FaultPlan newFaultPlan,
            boolean newPreTouch,
            boolean newWithoutYield,
            PageCachePolicy newJournalPages,
            @Nullable String newMemoryGroup) {
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
                newPreTouch,
                confinement,
                newWithoutYield,
                newJournalPages,
                newMemoryGroup);
    }

    /** Returns this configuration for a container: with other paths and another interface. */
    public ServiceConfig inContainer(TransportConfig newTransport, String directory, MemoryConstraint newConfinement) {
        return new ServiceConfig(
                newTransport,
                role,
                journalDirectory == null ? null : directory + "/journal",
                directory + "/loss-report.dat",
                ringSlots,
                rateLimiting,
                snapshotBitsPerSecond,
                rateIntervalNs,
                faultPlan,
                preTouch,
                newConfinement,
                withoutYield,
                journalPages,
                memoryGroup);
    }
}
