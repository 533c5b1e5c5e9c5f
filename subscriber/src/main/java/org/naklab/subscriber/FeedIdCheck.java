package org.naklab.subscriber;

import java.util.function.LongSupplier;
import org.naklab.messaging.feed.FeedId;

/** Tells the feed that is received from others by the id in its heartbeats and its trailer. Not thread-safe. */
final class FeedIdCheck {
    private final LongSupplier transportFeedId;
    private long feedId = FeedId.UNKNOWN;

    /** @param transportFeedId the id that the transport knows, {@link FeedId#UNKNOWN} where it knows none */
    FeedIdCheck(LongSupplier transportFeedId) {
        this.transportFeedId = transportFeedId;
    }

    /** Whether a message with this id is of the feed; without the transport's word the first id heard is the feed's. */
    boolean accepts(long messageFeedId) {
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
