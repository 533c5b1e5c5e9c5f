package org.naklab.lab.report.dashboard;

/**
 * Limits of the resources that clients can use.
 *
 * @param deadlineMs from a connection's beginning to its last byte
 * @param maxConnections at once; for one more, the oldest that has not yet asked is closed
 * @param maxReportBytes of a report
 * @param maxRecordBytes of a {@code run.json}
 */
record ServeLimits(long deadlineMs, int maxConnections, long maxReportBytes, int maxRecordBytes) {
    static final ServeLimits USUAL = new ServeLimits(30_000, 64, 64 << 20, 16 << 20);
}
