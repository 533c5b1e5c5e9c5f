package org.naklab.subscriber.latency;

import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.latency.LatencyHistogram;

/**
 * Measures how late events are on their way into the books. Recorded by the business thread, also what happened to the event before,
 * so that the context thread has nothing to do with it; see {@link LatencyHistogram}.
 */
public final class BookLatency {
    private final LatencyHistogram dueToSent = new LatencyHistogram();
    private final LatencyHistogram sentToReceived = new LatencyHistogram();
    private final LatencyHistogram receivedToBook = new LatencyHistogram();
    private final LatencyHistogram dueToBook = new LatencyHistogram();
    private final LatencySeries series = new LatencySeries();
    private final EventBatch batch;
    private final LongConsumer onBegin;
    private boolean hasBegun;

    /**
     * Creates the measurement.
     *
     * @param clock of the receive timestamps
     * @param warmUpNs events that are due earlier than so long after the first one are left out
     * @param onBegin told once, from which due time on events count
     */
    public BookLatency(NanoClock clock, long warmUpNs, LongConsumer onBegin) {
        batch = new EventBatch(clock, warmUpNs, this::onApplied);
        this.onBegin = onBegin;
    }

    /**
     * Takes in an event that was applied.
     *
     * @param message with its SBE header at index 0
     */
    public void onApplied(DirectBuffer message, long receivedNs) {
        batch.add(message, receivedNs);
        if (!hasBegun && batch.hasBegun()) {
            hasBegun = true;
            onBegin.accept(batch.countedFromNs());
        }
    }

    /** Ends a batch of the thread. */
    public void onBatchEnd() {
        batch.end();
    }

    /** Returns the latencies of the sender: from the due time to the hand-over to its transport. */
    public LatencyHistogram dueToSent() {
        return dueToSent;
    }

    /** Returns the latencies from the hand-over to the sender's transport to receipt by the context thread. */
    public LatencyHistogram sentToReceived() {
        return sentToReceived;
    }

    /** Returns the latencies from receipt to the books. */
    public LatencyHistogram receivedToBook() {
        return receivedToBook;
    }

    /** Returns the latencies from the due time to the books. */
    public LatencyHistogram dueToBook() {
        return dueToBook;
    }

    /** Returns how many events count nowhere because their due time cannot be right: it is not before their receipt, or an hour before. */
    public long leftOut() {
        return batch.leftOut();
    }

    /** Returns the latencies from the due time to the books, by the due time. */
    public LatencySeries series() {
        return series;
    }

    private void onApplied(long dueNs, long sentNs, long receivedNs, long doneNs) {
        if (sentNs != EventTimes.UNKNOWN) {
            dueToSent.record(sentNs - dueNs);
            sentToReceived.record(receivedNs - sentNs);
        }
        receivedToBook.record(doneNs - receivedNs);
        dueToBook.record(doneNs - dueNs);
        series.record(dueNs, doneNs - dueNs);
    }
}
