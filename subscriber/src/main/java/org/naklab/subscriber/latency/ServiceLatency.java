package org.naklab.subscriber.latency;

import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.guard.ArrivalOrder;
import org.naklab.messaging.latency.LatencyHistogram;

/**
 * Tells how late events were at each hop of a service or a gateway. To be read when the feed has ended or the service was closed; see
 * {@link LatencyHistogram}.
 */
public final class ServiceLatency {
    private final ArrivalOrder arrivals;
    private final BookLatency book;
    private final JournalLatency journal;
    private final SnapshotLatency snapshots;

    /**
     * Creates the measurement.
     *
     * @param clock of the receive timestamps and of the senders' times
     * @param epochClock of the boundaries of snapshots
     * @param warmUpNs events that are due earlier than so long after the first one are left out
     * @param arrivals of the feed
     */
    public ServiceLatency(NanoClock clock, EpochNanoClock epochClock, long warmUpNs, ArrivalOrder arrivals) {
        this.arrivals = arrivals;
        book = new BookLatency(clock, warmUpNs, this::countFrom);
        journal = new JournalLatency(clock, warmUpNs);
        snapshots = new SnapshotLatency(clock, epochClock);
    }

    /** Returns the way into the books. */
    public BookLatency book() {
        return book;
    }

    /** Returns the way into the journal; without any latency at a gateway. */
    public JournalLatency journal() {
        return journal;
    }

    /** Returns the way of the snapshots; without any latency at the service. */
    public SnapshotLatency snapshots() {
        return snapshots;
    }

    /** Returns how long datagrams were missing that later ones overtook; see {@link ArrivalOrder#repairs}. */
    public LatencyHistogram repairs() {
        return arrivals.repairs();
    }

    private void countFrom(long beginNs) {
        arrivals.countRepairsFrom(beginNs);
        snapshots.countFrom(beginNs);
    }
}
