package org.naklab.exchange;

/** Tells where a feed is in its life; it only ever moves forward. */
enum FeedState {
    WAITING,
    SENDING,
    /** Everything is sent but the trailer. */
    ENDING,
    /** The trailer is sent, or the feed cannot go on. */
    DONE
}
