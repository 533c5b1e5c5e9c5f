package org.naklab.subscriber;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;

/** The part of a {@link MarketDataService.Context} that is about snapshots. */
abstract class SnapshotSettings<T extends SnapshotSettings<T>> {
    /** LBT-RM's default {@code transport_lbtrm_data_rate_limit}. */
    private static final long RATE_LIMIT_BITS_PER_SECOND = 10_000_000;

    private long snapshotIntervalNs = TimeUnit.SECONDS.toNanos(1);
    private int snapshotLevels = 10;
    private RateLimitMode snapshotRateMode = RateLimitMode.TRANSPORT;
    private RateLimit snapshotRateLimit = new RateLimit(RATE_LIMIT_BITS_PER_SECOND, RateLimit.INCIDENT_INTERVAL_NS);
    private SnapshotListener snapshotListener = SnapshotListener.NONE;
    private MessagingContext.@Nullable Context snapshotContext;

    abstract T self();

    /**
     * Has a service send its snapshots through a transport of their own, so that nothing that a snapshot waits for stalls the receipt of the feed. By default
     * they go through the transport that receives. The service gives the context its name, launches and closes it.
     *
     * @param context with an Aeron directory of its own
     */
    public T snapshotContext(MessagingContext.Context context) {
        this.snapshotContext = requireNonNull(context);
        return self();
    }

    /** Returns the transport of the snapshots alone; {@code null} if they have none. */
    public MessagingContext.@Nullable Context snapshotContext() {
        return snapshotContext;
    }

    /** A service sends snapshots at each multiple of this, counted from the epoch; by default each second. */
    public T snapshotIntervalNs(long ns) {
        if (ns <= 0) {
            throw new IllegalArgumentException("snapshot interval must be positive: " + ns + " ns");
        }
        this.snapshotIntervalNs = ns;
        return self();
    }

    public long snapshotIntervalNs() {
        return snapshotIntervalNs;
    }

    /** Levels of either side in a snapshot, at most; a snapshot must fit into a datagram. */
    public T snapshotLevels(int levels) {
        if (levels <= 0) {
            throw new IllegalArgumentException("snapshot levels must be positive: " + levels);
        }
        this.snapshotLevels = levels;
        return self();
    }

    public int snapshotLevels() {
        return snapshotLevels;
    }

    /**
     * Chooses what keeps the snapshots within their rate limit. With {@link RateLimitMode#APPLICATION}, the remedy, the transport's
     * controller stays in place but never trips.
     */
    public T snapshotRateMode(RateLimitMode mode) {
        this.snapshotRateMode = requireNonNull(mode);
        return self();
    }

    public RateLimitMode snapshotRateMode() {
        return snapshotRateMode;
    }

    /** In force unless the mode is {@link RateLimitMode#NONE}; by default LBT-RM's 10 Mbit/s, by the incident's 20 ms. */
    public T snapshotRateLimit(RateLimit rateLimit) {
        this.snapshotRateLimit = requireNonNull(rateLimit);
        return self();
    }

    public RateLimit snapshotRateLimit() {
        return snapshotRateLimit;
    }

    /** Shown each snapshot that a gateway views. */
    public T snapshotListener(SnapshotListener listener) {
        this.snapshotListener = requireNonNull(listener);
        return self();
    }

    public SnapshotListener snapshotListener() {
        return snapshotListener;
    }
}
