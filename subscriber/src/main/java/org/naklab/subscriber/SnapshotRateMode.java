package org.naklab.subscriber;

/** Who keeps the snapshots within their rate limit. */
public enum SnapshotRateMode {
    /** The transport's rate controller; a series that exceeds the budget blocks, as in the incident. */
    TRANSPORT,
    /** The service's own pacing, so that the transport's controller, which stays in place, never trips: the remedy. */
    APPLICATION,
    /** Nobody. */
    NONE
}
