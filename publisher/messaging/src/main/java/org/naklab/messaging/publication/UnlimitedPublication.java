package org.naklab.messaging.publication;

import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;

/** A publication that the transport's window alone slows down. */
public final class UnlimitedPublication implements ManagedPublication {
    private final DatagramSink sink;
    private final int maxPayloadLength;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isClosed;

    public UnlimitedPublication(DatagramSink sink, int maxPayloadLength) {
        this.sink = sink;
        this.maxPayloadLength = maxPayloadLength;
    }

    @Override
    public SendResult offer(DirectBuffer buffer, int offset, int length) {
        MessageLength.requireFits(length, maxPayloadLength);
        lock.lock();
        try {
            return isClosed ? SendResult.CLOSED : sink.send(buffer, offset, length);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return sink.isConnected();
    }

    @Override
    public long blockedSends() {
        return 0;
    }

    @Override
    public long wakeUps() {
        return 0;
    }

    @Override
    public int maxPayloadLength() {
        return maxPayloadLength;
    }

    @Override
    public int poll(long nowNs) {
        return 0;
    }

    @Override
    public boolean disconnect() {
        lock.lock();
        try {
            isClosed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
