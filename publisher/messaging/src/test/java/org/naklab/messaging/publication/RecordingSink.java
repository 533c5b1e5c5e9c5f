package org.naklab.messaging.publication;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Takes messages whose first eight bytes are a number, and remembers the numbers and the bytes. */
final class RecordingSink implements DatagramSink {
    final List<Long> numbers = new ArrayList<>();
    SendResult nextResult = SendResult.SENT;
    boolean isConnected = true;
    long bytes;

    @Override
    public SendResult send(DirectBuffer buffer, int offset, int length) {
        if (nextResult == SendResult.SENT) {
            numbers.add(buffer.getLong(offset));
            bytes += DatagramSink.wireBytes(length);
        }
        return nextResult;
    }

    @Override
    public boolean isConnected() {
        return isConnected;
    }
}
