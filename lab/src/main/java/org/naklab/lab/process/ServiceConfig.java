package org.naklab.lab.process;

import org.jspecify.annotations.Nullable;

/**
 * A subscriber's orders.
 *
 * @param journalDirectory {@code null} for a gateway
 * @param lossReportFile where Aeron's loss report is copied before its directory goes
 * @param rateLimiting of the snapshots
 * @param snapshotBitsPerSecond the snapshots' budget
 */
public record ServiceConfig(
        TransportConfig transport,
        Role role,
        @Nullable String journalDirectory,
        String lossReportFile,
        int ringSlots,
        RateLimiting rateLimiting,
        long snapshotBitsPerSecond,
        long rateIntervalNs) {}
