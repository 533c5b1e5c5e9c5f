package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.subscriber.itch.ItchWriter;
import org.naklab.subscriber.itch.Quote;

/**
 * Sends the best prices of each instrument, in unsequenced packets. A client that does not read gets the latest ones when it does, and
 * with each how many were skipped.
 */
final class QuoteSession extends SoupSession {
    private final ServedBooks books;
    private final Int2ObjectHashMap<Quote> sent = new Int2ObjectHashMap<>();
    private final ItchWriter writer = new ItchWriter();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
    private long changesSent = -1;

    QuoteSession(Sessions sessions, ServedBooks books) {
        super(sessions);
        this.books = books;
    }

    @Override
    long logIn(long sequence) {
        return 1;
    }

    @Override
    void pump() {
        if (isWritable() && changesSent != books.quoteChanges()) {
            changesSent = books.quoteChanges();
            ByteBuf packets = Unpooled.buffer(1 << 10);
            for (Quote quote : books.quotes()) {
                add(quote, packets);
            }
            if (packets.isReadable()) {
                send(packets);
            } else {
                packets.release();
            }
        }
        if (books.hasEnded() && changesSent == books.quoteChanges()) {
            end();
        }
    }

    private void add(Quote quote, ByteBuf packets) {
        @Nullable Quote before = sent.get(quote.instrumentId());
        if (before != null && before.version() == quote.version()) {
            return;
        }
        // The first quote of a client has none before it: it asked for none earlier.
        long skipped = before == null ? 0 : quote.version() - before.version() - 1;
        sent.put(quote.instrumentId(), quote);
        sessions().skippedQuotes.addAndGet(skipped);
        int length = writer.writeQuote(quote, (int) Math.min(skipped, Integer.MAX_VALUE), message, 0);
        packets.writeShort(1 + length).writeByte(SoupPacket.UNSEQUENCED).writeBytes(message.byteArray(), 0, length);
    }
}
