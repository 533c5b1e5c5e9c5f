package org.naklab.messaging.publication;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.ReservedValueSupplier;
import org.agrona.DirectBuffer;

/** An Aeron publication as a sink. Not thread-safe: the owner's lock guards it. */
public final class AeronSink implements DatagramSink {
    private final ExclusivePublication publication;
    /** In Aeron's reserved value, so that each frame tells its feed and no message grows. */
    private final ReservedValueSupplier feedIdSupplier;

    public AeronSink(ExclusivePublication publication, long feedId) {
        this.publication = publication;
        feedIdSupplier = (termBuffer, termOffset, frameLength) -> feedId;
    }

    @Override
    public SendResult send(DirectBuffer buffer, int offset, int length) {
        long position = publication.offer(buffer, offset, length, feedIdSupplier);
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
