package org.naklab.journaler;

import org.agrona.DirectBuffer;
import org.naklab.messaging.feed.FeedMessages;

/** What a journal needs to know of a message without decoding it. */
final class FeedMessage {
    enum Kind {
        /** A sequenced message. */
        EVENT,
        TRAILER,
        /** Nothing that belongs in a journal. */
        OTHER
    }

    private FeedMessage() {}

    /** Tells what the bytes are; {@link Kind#OTHER} also when {@link FeedMessages} finds it malformed. */
    static Kind kind(DirectBuffer buffer, int offset, int length) {
        return switch (FeedMessages.kind(buffer, offset, length)) {
            case EVENT -> Kind.EVENT;
            case TRAILER -> Kind.TRAILER;
            case HEARTBEAT, OTHER, MALFORMED -> Kind.OTHER;
        };
    }

    /** The sequence of an event, the last sequence of a trailer: the first field of either. */
    static long sequence(DirectBuffer buffer, int offset) {
        return FeedMessages.sequence(buffer, offset);
    }

    /** The feed's digest as a trailer gives it, 0 to 2^32 - 1. */
    static long trailerDigest(DirectBuffer buffer, int offset) {
        return FeedMessages.trailerDigest(buffer, offset);
    }
}
