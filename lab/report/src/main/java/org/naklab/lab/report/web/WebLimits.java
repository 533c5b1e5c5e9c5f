package org.naklab.lab.report.web;

/**
 * Limits of the resources that clients of a server can use.
 *
 * @param deadlineMs from a connection's beginning to its last byte
 * @param maxConnections at once; for one more, the oldest that has not yet asked is closed
 * @param maxFormBytes of the body of a request; 0: the server takes none
 */
public record WebLimits(long deadlineMs, int maxConnections, int maxFormBytes) {}
