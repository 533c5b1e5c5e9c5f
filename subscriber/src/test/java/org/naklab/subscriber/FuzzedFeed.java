package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.feed.FeedException;
import org.naklab.subscriber.feed.FeedIdCheck;
import org.naklab.subscriber.latency.BookLatency;
import org.naklab.subscriber.latency.JournalLatency;

/**
 * Hands over any bytes as messages of the feed: each must end in the books, in the journal, in a count or in a {@link FeedException}. The input
 * is a row of messages, each behind a byte with its length.
 */
final class FuzzedFeed {
    private static final int RING_SLOTS = 64;

    private final ServiceCounters counters = new ServiceCounters(true);
    private final RingBuffer<RingSlot> ring =
            RingBuffer.createSingleProducer(RingSlot::new, RING_SLOTS, new BusySpinWaitStrategy());
    private final EventPoller<RingSlot> poller = gatingPoller();
    private final FeedReceiver receiver = new FeedReceiver(
            ring, SystemNanoClock.INSTANCE, new ServiceFailure(error -> {}), counters, new FeedIdCheck(() -> 0));
    private final Header header = new Header(0, 16);

    /** As a gateway takes them. */
    void intoBooks(byte[] input) {
        OrderBooks books = new OrderBooks();
        BusinessAgent agent = new BusinessAgent(
                "fuzz",
                poller,
                new FeedProcessor(
                        books,
                        counters,
                        new BookLatency(SystemNanoClock.INSTANCE, 0, begin -> {}),
                        new SuspectBooks(books, counters, SystemNanoClock.INSTANCE, null, AppliedEventListener.NONE),
                        AppliedEventListener.NONE),
                null,
                SystemEpochNanoClock.INSTANCE);
        run(input, agent::doWork);
    }

    /** As the service's journal thread takes them. */
    void intoJournal(byte[] input) {
        JournalAgent agent = new JournalAgent(
                "fuzz",
                poller,
                new EpochOffset(SystemNanoClock.INSTANCE, SystemEpochNanoClock.INSTANCE),
                new StrictSink(),
                counters,
                () -> FeedId.UNKNOWN,
                new JournalLatency(SystemNanoClock.INSTANCE, 0));
        run(input, agent::doWork);
    }

    private void run(byte[] input, Runnable drain) {
        int messages = 0;
        int at = 0;
        try {
            while (at < input.length) {
                int length = Math.min(Byte.toUnsignedInt(input[at++]), input.length - at);
                // In a buffer of its own, so that nothing behind the message can be read.
                UnsafeBuffer message = new UnsafeBuffer(new byte[length]);
                message.putBytes(0, input, at, length);
                at += length;
                receiver.onFragment(message, 0, length, header);
                messages++;
                drain.run();
            }
        } catch (FeedException e) {
            assertThat(e).hasMessageNotContaining("cannot be decoded");
            return;
        }
        assertThat(counters.rejected() + counters.ignored()).isLessThanOrEqualTo(messages);
    }

    private EventPoller<RingSlot> gatingPoller() {
        EventPoller<RingSlot> newPoller = ring.newPoller();
        ring.addGatingSequences(newPoller.getSequence());
        return newPoller;
    }

    /** Takes what a journal takes, and nothing else. */
    private static final class StrictSink implements JournalSink {
        private long last;
        private long events;

        @Override
        public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
            MessageKind kind = FeedMessages.kind(message, offset, length);
            assertThat(kind).isIn(MessageKind.EVENT, MessageKind.TRAILER);
            if (kind == MessageKind.EVENT) {
                assertThat(FeedMessages.sequence(message, offset)).isGreaterThan(last);
                last = FeedMessages.sequence(message, offset);
                events++;
            }
        }

        @Override
        public void feedId(long feedId) {
            throw new AssertionError("no feed was announced");
        }

        @Override
        public long eventsAppended() {
            return events;
        }

        @Override
        public RuntimeException breakUp(Throwable cause) {
            return new IllegalStateException(cause);
        }

        @Override
        public boolean isForced() {
            return true;
        }

        @Override
        public void close() {}
    }
}
