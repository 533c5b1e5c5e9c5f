package org.naklab.subscriber;

import com.lmax.disruptor.EventPoller;
import org.agrona.concurrent.Agent;

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
    private final EventPoller.Handler<RingSlot> handler = this::onSlot;
    private long lastSequence;
    private long journaled;
    private boolean hasEnded;
    private long offsetNs;
    private int batched;
    /** Whether the last batch ended in an exception. */
    private boolean isBroken;

    JournalAgent(
            String roleName,
            EventPoller<RingSlot> poller,
            EpochOffset epochOffset,
            JournalSink sink,
            ServiceCounters counters) {
        this.roleName = roleName;
        this.poller = poller;
        this.epochOffset = epochOffset;
        this.sink = sink;
        this.counters = counters;
    }

    @Override
    public int doWork() {
        batched = 0;
        isBroken = true;
        offsetNs = epochOffset.refresh();
        RingPolling.poll(poller, handler);
        isBroken = false;
        if (batched > 0) {
            counters.journaled.lazySet(journaled);
            counters.isTrailerJournaled = hasEnded;
        }
        return batched;
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
        FeedMessages.Kind kind = FeedMessages.kind(slot.buffer, slot.length);
        if (kind == FeedMessages.Kind.EVENT) {
            onEvent(slot);
        } else if (kind == FeedMessages.Kind.TRAILER && !hasEnded) {
            append(slot);
            hasEnded = true;
        }
        return ++batched < BATCH_LIMIT;
    }

    private void onEvent(RingSlot slot) {
        long sequence = FeedMessages.sequence(slot.buffer);
        if (sequence > lastSequence) {
            append(slot);
            lastSequence = sequence;
            journaled++;
        }
    }

    private void append(RingSlot slot) {
        sink.append(slot.receiveTimestampNs + offsetNs, slot.buffer, 0, slot.length);
    }
}
