package org.naklab.messaging.publication;

import org.agrona.DirectBuffer;

/** Sends the messages of one topic. Thread-safe; allocates nothing per message. */
public interface ContextPublication {
    /**
     * Offers one message of at most the transport's maximum payload (it is never fragmented).
     *
     * @throws IllegalArgumentException when the message is too long for one datagram
     */
    SendResult offer(DirectBuffer buffer, int offset, int length);

    /** Returns whether somebody subscribes. */
    boolean isConnected();

    /** Sends refused because the rate limit's budget was spent, so far. */
    long blockedSends();

    /** Ends of rate-limit intervals so far at which a blocked sender was woken; a blocked sender retries when it changes. */
    long wakeUps();

    /** Bytes of the largest message. */
    int maxPayloadLength();
}
