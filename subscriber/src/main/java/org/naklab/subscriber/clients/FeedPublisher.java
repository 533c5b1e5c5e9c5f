package org.naklab.subscriber.clients;

import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.AppliedEventListener;
import org.naklab.subscriber.itch.BookState;
import org.naklab.subscriber.itch.ItchWriter;

/**
 * Writes what the business thread applied into the store, and wakes the thread that serves clients. It never waits. A feed that ITCH
 * cannot carry ends the service of clients, not that of the books.
 */
final class FeedPublisher implements AppliedEventListener {
    private static final int INSTRUMENTS = 1 << 16;

    private final MessageStore store;
    private final DayClock clock;
    private final Runnable wake;
    private final ItchWriter writer = new ItchWriter();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
    private final int[] known = new int[INSTRUMENTS];
    private final boolean[] isKnown = new boolean[INSTRUMENTS];
    private int knownCount;
    /** The first missing event since which the book of each known instrument is suspect; 0: it is valid. */
    private final long[] suspectSince = new long[INSTRUMENTS];

    private long firstMissing;
    private boolean hasNews;
    private boolean isOver;
    private volatile @Nullable RuntimeException failure;
    private volatile boolean hasEnded;

    FeedPublisher(MessageStore store, DayClock clock, Runnable wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
    }

    @Override
    public void onApplied(OrderEvent event, long dueNs) {
        if (failure != null) {
            return;
        }
        long timeNs = dueNs == EventTimes.UNKNOWN ? event.exchangeTimestampNs : clock.ofDayNs(dueNs);
        try {
            announce(event.instrumentId, timeNs);
            store.append(buffer, writer.write(event, timeNs, buffer, 0));
            hasNews = true;
        } catch (IllegalArgumentException e) {
            failure = e;
            hasNews = true;
        }
    }

    /** Declares every book suspect: what is missing may be of any of them, and it will not be applied if it comes. */
    @Override
    public void onGap(long firstSequence, long lastSequence) {
        if (failure == null) {
            firstMissing = firstMissing == 0 ? firstSequence : firstMissing;
            long timeNs = clock.ofDayNs(System.nanoTime());
            for (int i = 0; i < knownCount; i++) {
                if (suspectSince[known[i]] == 0) {
                    suspectSince[known[i]] = firstSequence;
                    state(known[i], timeNs);
                    hasNews = true;
                }
            }
        }
    }

    @Override
    public void onConfirmed(int instrumentId) {
        if (failure == null && instrumentId >= 0 && instrumentId < INSTRUMENTS && suspectSince[instrumentId] > 0) {
            suspectSince[instrumentId] = 0;
            state(instrumentId, clock.ofDayNs(System.nanoTime()));
            hasNews = true;
        }
    }

    @Override
    public void onEnd() {
        if (failure == null) {
            store.append(buffer, writer.writeEnd(clock.ofDayNs(System.nanoTime()), buffer, 0));
        }
        isOver = true;
        hasNews = true;
    }

    @Override
    public void onBatchEnd() {
        if (hasNews) {
            hasNews = false;
            store.publish();
            hasEnded = isOver;
            wake.run();
        }
    }

    /** Returns whether the feed has ended, and all of its messages were published. Any thread. */
    boolean hasEnded() {
        return hasEnded && failure == null;
    }

    /** Returns what the feed has that ITCH cannot carry, or null. Any thread. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** Ends the service of clients: nothing more is published. Any thread. */
    void fail(RuntimeException reason) {
        failure = reason;
    }

    private void announce(int instrumentId, long timeNs) {
        if (instrumentId >= 0 && instrumentId < INSTRUMENTS && !isKnown[instrumentId]) {
            isKnown[instrumentId] = true;
            known[knownCount++] = instrumentId;
            suspectSince[instrumentId] = firstMissing;
            store.append(buffer, writer.writeDirectory(instrumentId, timeNs, buffer, 0));
            state(instrumentId, timeNs);
        }
    }

    private void state(int instrumentId, long timeNs) {
        long since = suspectSince[instrumentId];
        BookState state = since == 0 ? BookState.VALID : BookState.SUSPECT;
        store.append(buffer, writer.writeState(instrumentId, state, since, timeNs, buffer, 0));
    }
}
