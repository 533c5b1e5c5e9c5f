package org.naklab.subscriber;

import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.feed.FeedException;
import org.naklab.subscriber.feed.SequenceTracker;
import org.naklab.subscriber.latency.BookLatency;

/**
 * Tells what the business thread does with each message: check its sequence, take it into the digest, apply it to the books. An event
 * that came twice or late is counted and otherwise left alone, here as in the journal: applied out of its order it would only
 * put the books wrong in another way.
 */
final class FeedProcessor {
    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();
    private final SequenceTracker tracker = new SequenceTracker();
    private final FeedDigest digest = new FeedDigest();
    private final OrderBooks books;
    private final ServiceCounters counters;
    private final BookLatency latency;
    private final SuspectBooks suspect;
    private final AppliedEventListener listener;
    private long appliedSequence;
    private boolean hasEnded;
    private long trailerSequence;
    private long trailerDigest;

    FeedProcessor(
            OrderBooks books,
            ServiceCounters counters,
            BookLatency latency,
            SuspectBooks suspect,
            AppliedEventListener listener) {
        this.books = books;
        this.counters = counters;
        this.latency = latency;
        this.suspect = suspect;
        this.listener = listener;
    }

    /**
     * Takes in one message.
     *
     * @throws FeedException when the feed breaks its rules, or its digest differs though nothing is missing
     */
    void onMessage(RingSlot slot) {
        switch (slot.kind) {
            case EVENT -> onEvent(slot);
            case HEARTBEAT -> onLastSequence(FeedMessages.sequence(slot.buffer, 0));
            case TRAILER ->
                onTrailer(FeedMessages.sequence(slot.buffer, 0), FeedMessages.trailerDigest(slot.buffer, 0));
            case OTHER, MALFORMED -> throw new IllegalStateException("the receiver takes no message " + slot.kind);
        }
    }

    /** Sequence of the last event that is in the books; 0 before the first. */
    long appliedSequence() {
        return appliedSequence;
    }

    /**
     * Compares suspect books with the snapshots of the service that have come.
     *
     * @return the number of books that are valid again
     */
    int confirmBooks() {
        return suspect.confirm(appliedSequence);
    }

    /** Ends a batch of messages, and makes the counts visible to other threads. */
    void onBatchEnd() {
        latency.onBatchEnd();
        suspect.onBatchEnd();
        listener.onBatchEnd();
        counters.received.lazySet(tracker.received());
        counters.missing.lazySet(tracker.missing());
        counters.duplicated.lazySet(tracker.duplicated());
        counters.reordered.lazySet(tracker.reordered());
        counters.applied.lazySet(digest.events());
        counters.lastSequence.lazySet(tracker.highest());
        counters.digest.lazySet(digest.value());
        counters.unknownOrders.lazySet(books.unknownOrders());
        counters.doubtfulEvents.lazySet(books.doubtfulEvents());
        if (hasEnded && !counters.isTrailerSeen) {
            counters.trailerSequence.lazySet(trailerSequence);
            counters.trailerDigest.lazySet(trailerDigest);
            counters.booksDigest.lazySet(BooksDigest.of(books));
            counters.isTrailerSeen = true;
        }
    }

    private void onEvent(RingSlot slot) {
        long sequence = FeedMessages.sequence(slot.buffer, 0);
        if (hasEnded && sequence > trailerSequence) {
            throw new FeedException("event " + sequence + " follows the trailer, which counts " + trailerSequence);
        }
        long expected = tracker.highest() + 1;
        if (tracker.onEvent(sequence) == SequenceTracker.Verdict.NEXT) {
            if (sequence > expected) {
                onGap(expected, sequence - 1);
            }
            if (!codec.decode(slot.buffer, 0, event)) {
                throw new FeedException("event " + sequence + " cannot be decoded");
            }
            digest.update(slot.buffer, 0, slot.length);
            books.apply(event);
            listener.onApplied(event, EventTimes.dueNs(slot.buffer, 0));
            appliedSequence = sequence;
            suspect.onApplied(event.instrumentId, sequence);
            latency.onApplied(slot.buffer, slot.receiveTimestampNs);
        }
    }

    private void onLastSequence(long lastSequence) {
        long expected = tracker.highest() + 1;
        tracker.onLastSequence(lastSequence);
        if (lastSequence >= expected) {
            onGap(expected, lastSequence);
        }
    }

    private void onGap(long firstSequence, long lastSequence) {
        suspect.onGap(firstSequence, lastSequence);
        listener.onGap(firstSequence, lastSequence);
    }

    private void onTrailer(long lastSequence, long feedDigest) {
        if (hasEnded && (lastSequence != trailerSequence || feedDigest != trailerDigest)) {
            throw new FeedException("a second trailer differs from the first");
        }
        if (lastSequence < tracker.highest()) {
            throw new FeedException(
                    "the trailer counts " + lastSequence + " events, but " + tracker.highest() + " came before it");
        }
        boolean isFirst = !hasEnded;
        hasEnded = true;
        trailerSequence = lastSequence;
        trailerDigest = feedDigest;
        onLastSequence(lastSequence);
        if (isFirst) {
            suspect.onEnd();
            listener.onEnd();
        }
        if (digest.events() == lastSequence && digest.value() != feedDigest) {
            throw new FeedException("the digest of the " + lastSequence + " events received is "
                    + Long.toHexString(digest.value()) + ", the trailer says " + Long.toHexString(feedDigest));
        }
    }
}
