package org.naklab.subscriber;

import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.codec.HeartbeatEncoder;
import org.naklab.messaging.codec.MessageHeaderEncoder;
import org.naklab.messaging.codec.TrailerEncoder;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.feed.Side;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.testing.Await;

/** A small exchange: random but valid events from a seed, sent as they are or with the order tampered with. */
final class TestFeed implements AutoCloseable {
    private final TestEvents events = new TestEvents(42);
    private final OrderEventCodec codec = new OrderEventCodec();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[128]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final FeedDigest digest = new FeedDigest();
    private final OrderBooks books = new OrderBooks();
    private final long feedId;
    private final MessagingContext messaging;
    private final ContextPublication publication;
    private long sequence;

    /** With {@link TransportProfile#AERON} it heeds its receivers' windows, however fast it sends. */
    TestFeed(TopicChannels channels, TransportProfile profile) {
        this(channels, profile, FeedId.UNKNOWN);
    }

    TestFeed(TopicChannels channels, TransportProfile profile, long feedId) {
        this.feedId = feedId;
        messaging = MessagingContext.launch(new MessagingContext.Context()
                .name("test-exchange")
                .channels(channels)
                .profile(profile)
                .feedId(feedId));
        publication = messaging.addPublication(Topic.ORDER_BOOK_EVENTS, null);
        messaging.start();
    }

    void awaitConnected() {
        Await.until("a subscriber of the feed", publication::isConnected);
    }

    /** Makes the next event, takes it into digest and books, and sends it. */
    OrderEvent sendNext() {
        OrderEvent event = events.next();
        event.sequence = ++sequence;
        digest.update(buffer, 0, codec.encode(event, buffer, 0));
        books.apply(event);
        send(event);
        return event;
    }

    void sendNext(int count) {
        for (int i = 0; i < count; i++) {
            sendNext();
        }
    }

    /** Sends an event as it is, for the second time or out of its order. */
    void send(OrderEvent event) {
        int length = codec.encode(event, buffer, 0);
        long nowNs = System.nanoTime();
        EventTimes.put(buffer, 0, nowNs, nowNs);
        offer(length);
    }

    /** Makes the next event and leaves it out. */
    OrderEvent skipNext() {
        OrderEvent event = new OrderEvent().copyFrom(events.next());
        event.sequence = ++sequence;
        digest.update(buffer, 0, codec.encode(event, buffer, 0));
        books.apply(event);
        return event;
    }

    void sendHeartbeat() {
        sendHeartbeat(sequence, feedId);
    }

    void sendHeartbeat(long lastSequence, long ofFeed) {
        offer(MessageHeaderEncoder.ENCODED_LENGTH
                + new HeartbeatEncoder()
                        .wrapAndApplyHeader(buffer, 0, header)
                        .sequence(lastSequence)
                        .feedId(ofFeed)
                        .encodedLength());
    }

    void sendTrailer() {
        sendTrailer(digest.value());
    }

    void sendTrailer(long digestValue) {
        sendTrailer(sequence, digestValue, feedId);
    }

    void sendTrailer(long lastSequence, long digestValue, long ofFeed) {
        offer(MessageHeaderEncoder.ENCODED_LENGTH
                + new TrailerEncoder()
                        .wrapAndApplyHeader(buffer, 0, header)
                        .lastSequence(lastSequence)
                        .digest(digestValue)
                        .feedId(ofFeed)
                        .encodedLength());
    }

    /** An event that would be next and that the feed does not have. */
    int encodeNext(UnsafeBuffer message) {
        OrderEvent event = new OrderEvent().set(EventType.ADD, 1, 0, 999_999, Side.BUY, 1, 1);
        event.sequence = sequence + 1;
        return codec.encode(event, message, 0);
    }

    /** Sends any bytes in the feed's session. */
    void send(UnsafeBuffer message, int length) {
        buffer.putBytes(0, message, 0, length);
        offer(length);
    }

    long digest() {
        return digest.value();
    }

    long booksDigest() {
        return BooksDigest.of(books);
    }

    OrderBooks books() {
        return books;
    }

    @Override
    public void close() {
        messaging.close();
    }

    private void offer(int length) {
        Await.until(
                "room in the transport",
                () -> publication.offer(buffer, 0, length).accepted());
    }
}
