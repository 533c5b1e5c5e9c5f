package org.naklab.subscriber.latency;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.latency.LatencyHistogram;

/**
 * The times of the events that a thread has handled since it last read the clock. One reading serves up to {@link #CAPACITY} events, so
 * that it costs little in a burst; the thread reads it at the end of each of its batches too. An event can therefore appear later than
 * it was by the time in which the thread handled the events after it, at most {@code CAPACITY - 1} of them. Allocates nothing.
 */
final class EventBatch {
    static final int CAPACITY = 16;

    private final NanoClock clock;
    private final long warmUpNs;
    private final Consumer consumer;
    private final long[] dueNs = new long[CAPACITY];
    private final long[] sentNs = new long[CAPACITY];
    private final long[] receivedNs = new long[CAPACITY];
    private int size;
    private boolean hasBegun;
    private long countedFromNs;
    private long leftOut;

    /** Takes the times of one event; those that the message does not carry are {@link EventTimes#UNKNOWN}. */
    @FunctionalInterface
    interface Consumer {
        void onEvent(long dueNs, long sentNs, long receivedNs, long doneNs);
    }

    /**
     * Creates an empty batch.
     *
     * @param warmUpNs events that are due earlier than so long after the first one are left out
     */
    EventBatch(NanoClock clock, long warmUpNs, Consumer consumer) {
        this.clock = clock;
        this.warmUpNs = warmUpNs;
        this.consumer = consumer;
    }

    /**
     * Takes in an event that was handled. An event without a due time is left out, and so is one with a due time that another clock gave:
     * it was received before it was due, or more than {@link LatencyHistogram#MAX_NS} after that. The latter are counted.
     *
     * @param message with its SBE header at index 0
     */
    void add(DirectBuffer message, long eventReceivedNs) {
        long due = EventTimes.dueNs(message, 0);
        long ageNs = eventReceivedNs - due;
        if (due == EventTimes.UNKNOWN) {
            return;
        }
        if (ageNs < 0 || ageNs > LatencyHistogram.MAX_NS) {
            leftOut++;
            return;
        }
        if (!hasBegun) {
            hasBegun = true;
            countedFromNs = due + warmUpNs;
        }
        if (due < countedFromNs) {
            return;
        }
        dueNs[size] = due;
        sentNs[size] = EventTimes.sentNs(message, 0);
        receivedNs[size] = eventReceivedNs;
        size++;
        if (size == CAPACITY) {
            end();
        }
    }

    /** Ends the batch: what was taken in was done by now. */
    void end() {
        if (size > 0) {
            long nowNs = clock.nanoTime();
            for (int i = 0; i < size; i++) {
                consumer.onEvent(dueNs[i], sentNs[i], receivedNs[i], nowNs);
            }
            size = 0;
        }
    }

    /** Returns how many events were left out because their due time cannot be right. */
    long leftOut() {
        return leftOut;
    }

    /** Forgets the batch: it was not done. */
    void discard() {
        size = 0;
    }

    /** Returns whether an event with a due time was taken in. */
    boolean hasBegun() {
        return hasBegun;
    }

    /** The due time from which events count; 0 before the first. */
    long countedFromNs() {
        return countedFromNs;
    }
}
