package org.naklab.messaging.feed;

import java.security.SecureRandom;

/** Identifies one feed from the start of its exchange to its trailer: a random 64-bit number, 0 where it is unknown. */
public final class FeedId {
    public static final long UNKNOWN = 0;

    private static final SecureRandom RANDOM = new SecureRandom();
    /** The golden ratio in 32 bits: keeps the sessions of two streams apart. */
    private static final int SPREAD = 0x9E3779B9;

    private FeedId() {}

    /** Draws an id for a new feed; never {@link #UNKNOWN}. */
    public static long next() {
        long id = RANDOM.nextLong();
        return id == UNKNOWN ? 1 : id;
    }

    /** The Aeron session of one of the feed's streams, so that whoever knows the feed knows the session before it begins. */
    public static int sessionId(long feedId, int streamId) {
        return Long.hashCode(feedId) + SPREAD * streamId;
    }

    /**
     * Reads an id that {@link #text} wrote.
     *
     * @throws NumberFormatException the text is none
     */
    public static long parse(String text) {
        return text.isEmpty() ? UNKNOWN : Long.parseUnsignedLong(text, 16);
    }

    /** As 16 hexadecimal digits; empty when it is unknown. */
    public static String text(long feedId) {
        return feedId == UNKNOWN ? "" : String.format("%016x", feedId);
    }
}
