package org.naklab.subscriber.latency;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.latency.LatencyHistogram;

/** Measures how late events are in the journal: appended, not forced to disk. Recorded by the journal thread; see {@link LatencyHistogram}. */
public final class JournalLatency {
    private final LatencyHistogram receivedToJournaled = new LatencyHistogram();
    private final LatencyHistogram dueToJournaled = new LatencyHistogram();
    private final EventBatch batch;

    /**
     * Creates the measurement.
     *
     * @param clock of the receive timestamps
     * @param warmUpNs events that are due earlier than so long after the first one are left out
     */
    public JournalLatency(NanoClock clock, long warmUpNs) {
        batch = new EventBatch(clock, warmUpNs, this::onJournaled);
    }

    /**
     * Takes in an event that was appended.
     *
     * @param message with its SBE header at index 0
     */
    public void onAppended(DirectBuffer message, long receivedNs) {
        batch.add(message, receivedNs);
    }

    /** Ends a batch of the thread. */
    public void onBatchEnd() {
        batch.end();
    }

    /** Forgets what was appended since the last batch: the journal is broken. */
    public void discard() {
        batch.discard();
    }

    /** Returns the latencies from receipt to the append. */
    public LatencyHistogram receivedToJournaled() {
        return receivedToJournaled;
    }

    /** Returns the latencies from the due time to the append. */
    public LatencyHistogram dueToJournaled() {
        return dueToJournaled;
    }

    private void onJournaled(long dueNs, long sentNs, long receivedNs, long doneNs) {
        receivedToJournaled.record(doneNs - receivedNs);
        dueToJournaled.record(doneNs - dueNs);
    }
}
