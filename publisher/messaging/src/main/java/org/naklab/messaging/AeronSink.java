package org.naklab.messaging;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import org.agrona.DirectBuffer;

/** An Aeron publication as a sink. Not thread-safe: the owner's lock guards it. */
final class AeronSink implements DatagramSink {
    private final ExclusivePublication publication;

    AeronSink(ExclusivePublication publication) {
        this.publication = publication;
    }

    @Override
    public SendResult send(DirectBuffer buffer, int offset, int length) {
        long position = publication.offer(buffer, offset, length);
        if (position > 0) {
            return SendResult.SENT;
        }
        if (position == Publication.NOT_CONNECTED) {
            return SendResult.NOT_CONNECTED;
        }
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
            return SendResult.CLOSED;
        }
        return SendResult.BACK_PRESSURED;
    }

    @Override
    public boolean isConnected() {
        return publication.isConnected();
    }
}
