package org.naklab.messaging;

import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.feed.OrderEventCodec;
import org.naklab.messaging.publication.ContextPublication;
import org.naklab.messaging.publication.SendResult;
import org.naklab.testing.Await;

/** A publisher of numbered messages as long as an order event. */
final class Sender implements AutoCloseable {
    static final int MESSAGE_LENGTH = OrderEventCodec.MAX_LENGTH;

    final MessagingContext context;
    final ContextPublication publication;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private long nextNumber;

    Sender(MessagingContext.Context context) {
        this.context = MessagingContext.launch(context);
        this.publication = this.context.addPublication(Topic.ORDER_BOOK_EVENTS, null);
        this.context.start();
    }

    /** Offers one message, once. */
    SendResult offer() {
        message.putLong(0, nextNumber);
        SendResult result = publication.offer(message, 0, MESSAGE_LENGTH);
        if (result.accepted()) {
            nextNumber++;
        }
        return result;
    }

    /** Waits until each of the receivers hears the feed from its first message. */
    void awaitReceivers(Receiver... receivers) {
        for (Receiver receiver : receivers) {
            receiver.awaitImage();
        }
        Await.until(publication::isConnected);
    }

    /** Sends messages, each as soon as the transport takes it. */
    void send(int messages) {
        for (int i = 0; i < messages; i++) {
            Await.until(() -> offer().accepted());
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
