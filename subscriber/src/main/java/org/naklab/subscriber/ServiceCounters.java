package org.naklab.subscriber;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells what a service has done so far. Each count has one writer and may be read by any thread, also after the service was closed;
 * counts of one thread are published together at the end of its batch.
 */
public final class ServiceCounters {
    final AtomicLong backPressure = new AtomicLong();
    final AtomicLong received = new AtomicLong();
    final AtomicLong missing = new AtomicLong();
    final AtomicLong suspectSince = new AtomicLong();
    final AtomicLong suspectBookNs = new AtomicLong();
    final AtomicLong duplicated = new AtomicLong();
    final AtomicLong reordered = new AtomicLong();
    final AtomicLong ignored = new AtomicLong();
    final AtomicLong rejected = new AtomicLong();
    final AtomicLong applied = new AtomicLong();
    final AtomicLong lastSequence = new AtomicLong();
    final AtomicLong digest = new AtomicLong();
    final AtomicLong trailerSequence = new AtomicLong();
    final AtomicLong trailerDigest = new AtomicLong();
    final AtomicLong booksDigest = new AtomicLong();
    final AtomicLong unknownOrders = new AtomicLong();
    final AtomicLong doubtfulEvents = new AtomicLong();
    final AtomicLong journaled = new AtomicLong();
    final AtomicLong snapshotsSent = new AtomicLong();
    final AtomicLong snapshotsSuperseded = new AtomicLong();
    final AtomicLong snapshotsUnheard = new AtomicLong();
    final AtomicLong snapshotsReceived = new AtomicLong();
    final AtomicLong seriesComplete = new AtomicLong();
    final AtomicLong seriesIncomplete = new AtomicLong();
    final AtomicLong blockedSends = new AtomicLong();
    volatile boolean isTrailerSeen;
    volatile boolean isTrailerJournaled;

    private final boolean journals;

    ServiceCounters(boolean journals) {
        this.journals = journals;
    }

    /** Messages that the transport was left with because the ring was full, counted at each attempt. */
    public long backPressure() {
        return backPressure.get();
    }

    /** Distinct events received. */
    public long received() {
        return received.get();
    }

    /** Events that the feed is known to have sent and that have not come. */
    public long missing() {
        return missing.get();
    }

    /** Sequence of the first event that is missing, since which books are suspect; 0: none is missing. */
    public long suspectSince() {
        return suspectSince.get();
    }

    /** Returns how long books were suspect before the feed ended, added up over the books, ns. */
    public long suspectBookNs() {
        return suspectBookNs.get();
    }

    /** Events that came again; they are applied and journaled once. */
    public long duplicated() {
        return duplicated.get();
    }

    /** Events that came after a later one; they are neither applied nor journaled. */
    public long reordered() {
        return reordered.get();
    }

    /** Messages of other schemas or of later versions' templates. */
    public long ignored() {
        return ignored.get();
    }

    /** Messages that were malformed or of another feed; they are neither applied nor journaled nor viewed. */
    public long rejected() {
        return rejected.get();
    }

    /** Events applied to the books. */
    public long applied() {
        return applied.get();
    }

    /** Highest sequence that the feed is known to have used. */
    public long lastSequence() {
        return lastSequence.get();
    }

    /** CRC-32C over the events applied; see {@link org.naklab.messaging.feed.FeedDigest}. */
    public long digest() {
        return digest.get();
    }

    /** Returns whether the feed's end has been reached by the business thread. */
    public boolean trailerSeen() {
        return isTrailerSeen;
    }

    /** Events that the trailer counts; 0 until {@link #trailerSeen()}. */
    public long trailerSequence() {
        return trailerSequence.get();
    }

    /** The digest that the trailer carries; 0 until {@link #trailerSeen()}. */
    public long trailerDigest() {
        return trailerDigest.get();
    }

    /** Digest of the books at the end of the feed; see {@link org.naklab.subscriber.book.BooksDigest}. */
    public long booksDigest() {
        return booksDigest.get();
    }

    /** See {@link org.naklab.subscriber.book.OrderBooks#unknownOrders()}. */
    public long unknownOrders() {
        return unknownOrders.get();
    }

    /** See {@link org.naklab.subscriber.book.OrderBooks#doubtfulEvents()}. */
    public long doubtfulEvents() {
        return doubtfulEvents.get();
    }

    /** Events appended to the journal; always 0 at a gateway. */
    public long journaled() {
        return journaled.get();
    }

    /** Snapshots that the transport took. */
    public long snapshotsSent() {
        return snapshotsSent.get();
    }

    /** Snapshots dropped because the next second began before their series was sent. */
    public long snapshotsSuperseded() {
        return snapshotsSuperseded.get();
    }

    /** Snapshots dropped because nobody subscribed. */
    public long snapshotsUnheard() {
        return snapshotsUnheard.get();
    }

    /** Snapshots refused because the transport's rate limit was reached, counted at each attempt. */
    public long blockedSends() {
        return blockedSends.get();
    }

    /** Snapshots that a gateway viewed. */
    public long snapshotsReceived() {
        return snapshotsReceived.get();
    }

    /** Seconds of which a gateway viewed every snapshot. */
    public long seriesComplete() {
        return seriesComplete.get();
    }

    /** Seconds of which a gateway missed a snapshot; the current one is not judged yet. */
    public long seriesIncomplete() {
        return seriesIncomplete.get();
    }

    /** Returns whether the feed has ended and all that came of it was applied and, at a service, journaled. */
    public boolean ended() {
        return isTrailerSeen && (!journals || isTrailerJournaled);
    }

    /** Returns whether the feed has ended, nothing of it is missing anywhere, and its digest is the trailer's. */
    public boolean complete() {
        long count = trailerSequence();
        return ended()
                && missing() == 0
                && reordered() == 0
                && received() == count
                && applied() == count
                && (!journals || journaled() == count)
                && digest() == trailerDigest();
    }
}
