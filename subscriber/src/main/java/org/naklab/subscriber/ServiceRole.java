package org.naklab.subscriber;

/** Tells what a {@link MarketDataService} does with the feed. */
public enum ServiceRole {
    /** Keeps books, journals the feed and publishes snapshots. */
    SERVICE,
    /** The control group: keeps books, and views the snapshots; neither journals nor publishes. */
    GATEWAY
}
