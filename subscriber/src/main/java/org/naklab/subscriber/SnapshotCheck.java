package org.naklab.subscriber;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.OrderBookSnapshotDecoder;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;

/**
 * Compares the suspect books of a gateway with the snapshots of the service that were made after the missing events. A book whose best levels are the same at the
 * same event lacks nothing that its snapshot shows. The context thread hands snapshots over while books are suspect, and the business thread compares them.
 */
final class SnapshotCheck {
    private static final int CAPACITY_BYTES = 1 << 18;
    private static final int MESSAGE_TYPE = 1;
    /** Bounds one turn of the business thread. */
    private static final int MOST_COMPARED = 16;

    private final OneToOneRingBuffer waiting = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final OrderBookSnapshotDecoder snapshot = new OrderBookSnapshotDecoder();
    private final SnapshotEncoder encoder;
    private final byte[] own;
    private final UnsafeBuffer ownBuffer;
    /** The latest event of each book since the first missing one. */
    private final Long2LongHashMap changed = new Long2LongHashMap(0);

    private volatile boolean isWanted;

    /** @param maxLevels of a snapshot, as the service has it */
    SnapshotCheck(int maxLevels) {
        encoder = new SnapshotEncoder(maxLevels);
        own = new byte[SnapshotEncoder.maxLength(maxLevels)];
        ownBuffer = new UnsafeBuffer(own);
    }

    /** Takes a snapshot while there are suspect books; one for which there is no room is left out, since the next comes in a second. Of the context thread. */
    void onSnapshot(DirectBuffer buffer, int offset, int length) {
        if (isWanted && length <= own.length) {
            boolean unused = waiting.write(MESSAGE_TYPE, buffer, offset, length);
        }
    }

    /** Asks for snapshots, or for none. */
    void want(boolean areAsked) {
        isWanted = areAsked;
    }

    /** Takes note of an event that was applied while books were suspect. */
    void onApplied(int instrumentId, long sequence) {
        changed.put(instrumentId, sequence);
    }

    /** Returns whether there is something to compare. */
    boolean hasSnapshots() {
        return waiting.consumerPosition() != waiting.producerPosition();
    }

    /**
     * Compares what has come.
     *
     * @param missingSequence the latest missing event, which a snapshot must be after
     * @param appliedSequence a snapshot of a later event waits
     * @param confirmed takes the number of each instrument whose book is as its snapshot
     */
    void compare(OrderBooks books, long missingSequence, long appliedSequence, IntConsumer confirmed) {
        int unused = waiting.controlledRead(
                (int type, MutableDirectBuffer buffer, int offset, int length) -> {
                    snapshot.wrapAndApplyHeader(buffer, offset, header);
                    long sequence = snapshot.sequence();
                    if (sequence > appliedSequence) {
                        return ControlledMessageHandler.Action.ABORT;
                    }
                    int instrument = snapshot.instrumentId();
                    OrderBook book = books.book(instrument);
                    if (sequence > missingSequence
                            && changed.get(instrument) <= sequence
                            && isSame(book, buffer, offset, length)) {
                        confirmed.accept(instrument);
                    }
                    return ControlledMessageHandler.Action.CONTINUE;
                },
                MOST_COMPARED);
    }

    private boolean isSame(@Nullable OrderBook book, DirectBuffer buffer, int offset, int length) {
        if (book == null) {
            return false;
        }
        int ownLength = encoder.encode(
                book, snapshot.sequence(), snapshot.secondNs(), snapshot.index(), snapshot.seriesLength(), ownBuffer);
        byte[] its = new byte[length];
        buffer.getBytes(offset, its);
        return Arrays.equals(own, 0, ownLength, its, 0, length);
    }
}
