package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.book.OrderBook;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.itch.BookState;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.ItchWriter;
import org.naklab.subscriber.itch.Quote;

/**
 * The books as a client has them that has read everything. They are made from the store, so that snapshots and best prices take nothing
 * from the thread whose books they are. Of the thread that serves clients.
 */
final class ServedBooks implements ItchReader.Handler {
    private static final int SNAPSHOT_BYTES = 64 << 10;

    private final OrderBooks books = new OrderBooks();
    private final MessageStore.Cursor cursor;
    private final ItchReader reader = new ItchReader();
    private final ItchWriter writer = new ItchWriter();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[0]);
    private final Int2ObjectHashMap<Quote> quotes = new Int2ObjectHashMap<>();
    private final Map<Integer, State> states = new TreeMap<>();
    private long nextSequence = 1;
    private long latestTimeNs;
    private long quoteChanges;
    private boolean hasEnded;
    private final AtomicLong taken = new AtomicLong();

    private record State(BookState state, long sequence) {}

    /**
     * A snapshot.
     *
     * @param packets framed, to be read only
     * @param nextSequence of the first message that is not in it
     */
    record Snapshot(ByteBuf packets, long nextSequence) {}

    ServedBooks(MessageStore store) {
        MessageStore.Cursor first = store.cursorAt(1);
        if (first == null) {
            throw new IllegalArgumentException("the store has dropped its first message");
        }
        cursor = first;
    }

    /**
     * Takes in what the store has.
     *
     * @return whether it could: the store has not dropped what was not read yet
     */
    boolean catchUp() {
        int available = cursor.available();
        while (available > 0 && !cursor.isLost()) {
            int end = cursor.position() + available;
            message.wrap(cursor.bytes());
            while (cursor.position() < end) {
                reader.read(message, cursor.position() + MessageStore.HEAD_BYTES, cursor.messageLength(), this);
                cursor.skip();
                nextSequence++;
            }
            taken.set(nextSequence - 1);
            available = cursor.available();
        }
        return !cursor.isLost();
    }

    @Override
    public void onEvent(OrderEvent event, long timeNs) {
        books.apply(event);
        latestTimeNs = timeNs;
        if (event.type != EventType.HIDDEN_TRADE) {
            int id = event.instrumentId;
            Quote before = quotes.get(id);
            Quote now = new Quote(
                    id,
                    timeNs,
                    before == null ? 1 : before.version() + 1,
                    books.bestBidPrice(id),
                    books.bestBidQuantity(id),
                    books.bestAskPrice(id),
                    books.bestAskQuantity(id));
            if (before == null || !now.isSamePrice(before)) {
                quotes.put(id, now);
                quoteChanges++;
            }
        }
    }

    @Override
    public void onState(int instrumentId, BookState state, long sequence, long timeNs) {
        states.put(instrumentId, new State(state, sequence));
    }

    @Override
    public void onEnd() {
        hasEnded = true;
    }

    /** Returns whether the feed has ended and all of it was taken in. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Returns how many messages were taken in. Any thread. */
    long taken() {
        return taken.get();
    }

    /** Returns the best prices of all instruments that have some. */
    Iterable<Quote> quotes() {
        return quotes.values();
    }

    /** Returns how often best prices changed. */
    long quoteChanges() {
        return quoteChanges;
    }

    /**
     * Makes a snapshot of all books. Each has its entry of the directory, {@link BookState#REBUILDING} until it is complete, its status, its
     * orders in the order of their queues, and at last its state.
     */
    Snapshot snapshot() {
        Packets packets = new Packets();
        states.forEach((id, state) -> {
            packets.add(writer.writeDirectory(id, latestTimeNs, packets.message, 0));
            packets.add(
                    writer.writeState(id, BookState.REBUILDING, state.sequence(), latestTimeNs, packets.message, 0));
            OrderBook book = books.book(id);
            if (book != null) {
                add(book, packets);
            }
            packets.add(writer.writeState(id, state.state(), state.sequence(), latestTimeNs, packets.message, 0));
        });
        packets.add(writer.writeSnapshotEnd(nextSequence, packets.message, 0));
        return new Snapshot(packets.toBuffer(), nextSequence);
    }

    private void add(OrderBook book, Packets packets) {
        OrderEvent event = new OrderEvent();
        EventType status = book.halted() ? EventType.HALT : EventType.RESUME;
        event.set(status, book.instrumentId(), latestTimeNs, 0, Side.BUY, 0, 0);
        packets.add(writer.write(event, latestTimeNs, packets.message, 0));
        for (Side side : Side.values()) {
            book.copyLevels(
                    side,
                    Integer.MAX_VALUE,
                    (price, quantity, orders) -> book.copyOrders(side, price, (orderId, rests) -> {
                        event.set(EventType.ADD, book.instrumentId(), latestTimeNs, orderId, side, price, (int) rests);
                        packets.add(writer.write(event, latestTimeNs, packets.message, 0));
                    }));
        }
    }

    /** Sequenced packets, one after the other, in memory of the heap: nobody has to release it. */
    private static final class Packets {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
        private final ByteBuf bytes = Unpooled.buffer(SNAPSHOT_BYTES);

        void add(int length) {
            bytes.writeShort(1 + length).writeByte(SoupPacket.SEQUENCED).writeBytes(message.byteArray(), 0, length);
        }

        ByteBuf toBuffer() {
            return bytes.asReadOnly();
        }
    }
}
