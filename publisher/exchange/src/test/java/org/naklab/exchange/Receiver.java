package org.naklab.exchange;

import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.codec.HeartbeatDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.messaging.codec.TrailerDecoder;
import org.naklab.messaging.feed.FeedDigest;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.OrderEventCodec;

/** A plain subscriber that checks the feed's rules as it receives. */
final class Receiver implements AutoCloseable {
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    final MessagingContext context;
    volatile long received;
    volatile long heartbeats;
    volatile long digest;
    volatile long trailerCount = -1;
    volatile long trailerDigest;

    private final FeedDigest runningDigest = new FeedDigest();
    private final OrderEventCodec codec = new OrderEventCodec();
    private final OrderEvent event = new OrderEvent();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer copy = new UnsafeBuffer(new byte[256]);

    Receiver(String name, TopicChannels channels) {
        context = MessagingContext.launch(
                new MessagingContext.Context().name(name).channels(channels).errorHandler(errors::add));
        context.addSubscription(Topic.ORDER_BOOK_EVENTS, this::onFragment);
        context.start();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the context's thread
    private ControlledFragmentHandler.Action onFragment(DirectBuffer buffer, int offset, int length, Header aeron) {
        if (codec.decode(buffer, offset, event)) {
            if (event.sequence != received + 1) {
                errors.add(new AssertionError("after #" + received + " came " + event));
            }
            copy.putBytes(0, buffer, offset, length);
            runningDigest.update(copy, 0, length);
            digest = runningDigest.value();
            received++;
        } else {
            onControl(buffer, offset);
        }
        return ControlledFragmentHandler.Action.CONTINUE;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void onControl(DirectBuffer buffer, int offset) {
        header.wrap(buffer, offset);
        if (header.templateId() == HeartbeatDecoder.TEMPLATE_ID) {
            heartbeats++;
        } else if (header.templateId() == TrailerDecoder.TEMPLATE_ID) {
            TrailerDecoder trailer = new TrailerDecoder().wrapAndApplyHeader(buffer, offset, header);
            trailerDigest = trailer.digest();
            trailerCount = trailer.lastSequence();
        } else {
            errors.add(new AssertionError("unknown template " + header.templateId()));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
