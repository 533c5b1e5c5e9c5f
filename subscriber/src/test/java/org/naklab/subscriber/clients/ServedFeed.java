package org.naklab.subscriber.clients;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.TestEvents;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.testing.Await;

/** A server of clients, with the thread of the test as the business thread. */
final class ServedFeed implements AutoCloseable {
    private static final int STEP = 500;

    final ClientServer server;
    final OrderBooks books = new OrderBooks();
    private final TestEvents events = new TestEvents(7);
    private long sequence;

    ServedFeed() {
        this(4 << 20, null);
    }

    ServedFeed(int storeBytes, @Nullable InetSocketAddress moldTarget) {
        server = ClientServer.launch(
                new ClientServer.ClientSettings(
                        "test",
                        "TESTDAY",
                        InetAddress.getLoopbackAddress(),
                        new ClientServer.ClientSettings.Limits(storeBytes, 16 << 10, 1_500, 0),
                        moldTarget),
                DayClock.now());
    }

    void publish(int count) {
        for (int i = 0; i < count; i++) {
            OrderEvent event = events.next();
            event.sequence = ++sequence;
            books.apply(event);
            server.listener().onApplied(event, System.nanoTime());
        }
        server.listener().onBatchEnd();
    }

    /** Publishes so that the clients' thread keeps up, however small the store is. */
    void publishInSteps(int count) {
        for (int left = count; left > 0; left -= STEP) {
            publish(Math.min(left, STEP));
            Await.until(
                    "the clients' thread",
                    () -> server.counts().session().taken()
                            == server.counts().session().messages());
        }
    }

    /** Leaves events of the feed out, as a loss does. */
    void lose(int count) {
        long first = sequence + 1;
        for (int i = 0; i < count; i++) {
            events.next();
        }
        sequence += count;
        server.listener().onGap(first, sequence);
    }

    /** A snapshot of the service shows that the book lacks nothing. */
    void confirm(int instrumentId) {
        server.listener().onConfirmed(instrumentId);
        server.listener().onBatchEnd();
    }

    void end() {
        server.listener().onEnd();
        server.listener().onBatchEnd();
    }

    long digest() {
        return BooksDigest.of(books);
    }

    @Override
    public void close() {
        server.close();
    }
}
