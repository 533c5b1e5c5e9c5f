package org.naklab.subscriber.feed;

import java.util.function.LongSupplier;
import org.naklab.messaging.feed.FeedId;

/** Tells the feed that is received from others by the id in its heartbeats and its trailer. Not thread-safe. */
public final class FeedIdCheck {
    private final LongSupplier transportFeedId;
    private long feedId = FeedId.UNKNOWN;

    /**
     * Creates a check that has seen no message yet.
     *
     * @param transportFeedId returns the id that the transport knows, {@link FeedId#UNKNOWN} if it knows none
     */
    public FeedIdCheck(LongSupplier transportFeedId) {
        this.transportFeedId = transportFeedId;
    }

    /** Returns whether a message with this id is of the feed; without the transport's word the first id heard is the feed's. */
    public boolean accepts(long messageFeedId) {
        if (messageFeedId == FeedId.UNKNOWN) {
            return true;
        }
        if (feedId == FeedId.UNKNOWN) {
            long known = transportFeedId.getAsLong();
            feedId = known == FeedId.UNKNOWN ? messageFeedId : known;
        }
        return messageFeedId == feedId;
    }
}
