package org.naklab.subscriber;

import com.lmax.disruptor.EventPoller;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.jspecify.annotations.Nullable;

/** Takes events off the ring into the books and, at a service, sends the books' snapshots each second. */
final class BusinessAgent implements Agent {
    private static final int BATCH_LIMIT = 256;

    private final String roleName;
    private final EventPoller<RingSlot> poller;
    private final FeedProcessor processor;
    private final @Nullable SnapshotSeries snapshots;
    private final EpochNanoClock epochNanoClock;
    private final EventPoller.Handler<RingSlot> handler = this::onSlot;
    private int batched;
    /** Whether the last batch ended in an exception. */
    private boolean isBroken;

    BusinessAgent(
            String roleName,
            EventPoller<RingSlot> poller,
            FeedProcessor processor,
            @Nullable SnapshotSeries snapshots,
            EpochNanoClock epochNanoClock) {
        this.roleName = roleName;
        this.poller = poller;
        this.processor = processor;
        this.snapshots = snapshots;
        this.epochNanoClock = epochNanoClock;
    }

    @Override
    public int doWork() {
        int workCount = takeEvents();
        int confirmed = processor.confirmBooks();
        if (confirmed > 0) {
            workCount += confirmed;
            processor.onBatchEnd();
        }
        if (snapshots != null) {
            workCount += snapshots.doWork(epochNanoClock.nanoTime(), processor.appliedSequence());
        }
        return workCount;
    }

    /** Takes what is left in the ring, unless a message has broken the feed's rules: receipt has ended. */
    @Override
    public void onClose() {
        while (!isBroken && takeEvents() > 0) {
            // Bounded by the ring's size.
        }
    }

    @Override
    public String roleName() {
        return roleName;
    }

    private int takeEvents() {
        batched = 0;
        isBroken = true;
        try {
            RingPolling.poll(poller, handler);
            isBroken = false;
        } finally {
            if (isBroken || batched > 0) {
                processor.onBatchEnd();
            }
        }
        return batched;
    }

    private boolean onSlot(RingSlot slot, long ringSequence, boolean endOfBatch) {
        processor.onMessage(slot);
        return ++batched < BATCH_LIMIT;
    }
}
