package org.naklab.subscriber;

import com.lmax.disruptor.EventPoller;
import java.util.function.LongSupplier;
import org.agrona.concurrent.Agent;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;
import org.naklab.subscriber.latency.JournalLatency;

/**
 * Appends each event once and in feed order, and the trailer, to the system of record. What came twice or late is left out:
 * the business thread counts it.
 */
final class JournalAgent implements Agent {
    private static final int BATCH_LIMIT = 256;

    private final String roleName;
    private final EventPoller<RingSlot> poller;
    private final EpochOffset epochOffset;
    private final JournalSink sink;
    private final ServiceCounters counters;
    private final LongSupplier feedId;
    private final JournalLatency latency;
    private boolean isFeedAsked;
    private final EventPoller.Handler<RingSlot> handler = this::onSlot;
    private long lastSequence;
    private boolean hasEnded;
    private long offsetNs;
    private long lastTimestampNs = Long.MIN_VALUE;
    private int batched;
    /** Whether the last batch ended in an exception. */
    private boolean isBroken;

    JournalAgent(
            String roleName,
            EventPoller<RingSlot> poller,
            EpochOffset epochOffset,
            JournalSink sink,
            ServiceCounters counters,
            LongSupplier feedId,
            JournalLatency latency) {
        this.roleName = roleName;
        this.poller = poller;
        this.epochOffset = epochOffset;
        this.sink = sink;
        this.counters = counters;
        this.feedId = feedId;
        this.latency = latency;
    }

    @Override
    public int doWork() {
        batched = 0;
        isBroken = true;
        offsetNs = epochOffset.refresh();
        try {
            RingPolling.poll(poller, handler);
            isBroken = false;
        } catch (InternalError e) {
            // A page that the disk did not have; it can be told later than the append that lost it.
            throw sink.breakUp(e);
        } finally {
            endBatch();
            if (batched > 0 || isBroken) {
                publishCounts();
            }
        }
        return batched;
    }

    private void endBatch() {
        if (isBroken) {
            latency.discard();
        } else {
            latency.onBatchEnd();
        }
    }

    private void publishCounts() {
        counters.journaled.lazySet(sink.eventsAppended());
        counters.isTrailerJournaled = hasEnded;
    }

    /** Appends what is left in the ring, unless an append has failed: receipt has ended. */
    @Override
    public void onClose() {
        try (sink) {
            while (!isBroken && doWork() > 0) {
                // Bounded by the ring's size.
            }
        }
    }

    @Override
    public String roleName() {
        return roleName;
    }

    private boolean onSlot(RingSlot slot, long ringSequence, boolean endOfBatch) {
        if (slot.kind == MessageKind.EVENT) {
            onEvent(slot);
        } else if (slot.kind == MessageKind.TRAILER && !hasEnded) {
            append(slot);
            hasEnded = true;
        }
        return ++batched < BATCH_LIMIT;
    }

    private void onEvent(RingSlot slot) {
        long sequence = FeedMessages.sequence(slot.buffer, 0);
        if (sequence > lastSequence) {
            append(slot);
            latency.onAppended(slot.buffer, slot.receiveTimestampNs);
            lastSequence = sequence;
        }
    }

    /** Every frame of a feed carries its id, so what is unknown at the first event stays unknown. */
    private void nameFeed() {
        isFeedAsked = true;
        long known = feedId.getAsLong();
        if (known != FeedId.UNKNOWN) {
            sink.feedId(known);
        }
    }

    /** Where the epoch's clock steps back, receive timestamps stand still until it has caught up: the record's never fall. */
    private void append(RingSlot slot) {
        if (!isFeedAsked) {
            nameFeed();
        }
        lastTimestampNs = Math.max(lastTimestampNs, slot.receiveTimestampNs + offsetNs);
        sink.append(lastTimestampNs, slot.buffer, 0, slot.length);
    }
}
