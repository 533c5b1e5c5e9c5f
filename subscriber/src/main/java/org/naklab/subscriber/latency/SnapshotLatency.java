package org.naklab.subscriber.latency;

import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.latency.LatencyHistogram;

/**
 * Measures how late snapshots are at a gateway: from the boundary of the second that they belong to. Recorded by the context thread; see
 * {@link LatencyHistogram}. The clock is that of the epoch, because the boundaries are the epoch's.
 */
public final class SnapshotLatency {
    private final LatencyHistogram boundaryToReceived = new LatencyHistogram();
    private final NanoClock clock;
    private final EpochNanoClock epochClock;
    private volatile long countedFromNs = Long.MAX_VALUE;

    /** Creates the measurement; nothing counts before {@link #countFrom}. */
    public SnapshotLatency(NanoClock clock, EpochNanoClock epochClock) {
        this.clock = clock;
        this.epochClock = epochClock;
    }

    /** Sets the time of the monotonic clock from which on snapshots count. Any thread. */
    public void countFrom(long beginNs) {
        countedFromNs = beginNs;
    }

    /**
     * Takes in a snapshot.
     *
     * @param boundaryNs the boundary of the second, ns since 1970
     */
    public void onSnapshot(long boundaryNs) {
        long countedFrom = countedFromNs;
        if (countedFrom != Long.MAX_VALUE && clock.nanoTime() - countedFrom >= 0) {
            boundaryToReceived.record(epochClock.nanoTime() - boundaryNs);
        }
    }

    /** Returns the latencies from the boundary to receipt. */
    public LatencyHistogram boundaryToReceived() {
        return boundaryToReceived;
    }
}
