package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.FeedMessages;
import org.naklab.messaging.feed.MessageKind;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(120)
class BackPressureTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(FreePorts.pair());
    private static final int EVENTS = 5_000;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TestFeed feed = new TestFeed(CHANNELS, TransportProfile.LBTRM);

    @AfterEach
    void closeFeed() {
        feed.close();
    }

    @Test
    void shouldLoseNothingWhenTheJournalBlocks() {
        SlowSink sink = new SlowSink();
        try (MarketDataService service = launch(sink)) {
            ServiceCounters counters = service.counters();
            feed.sendNext(EVENTS);
            feed.sendTrailer();
            Await.until("a full ring", () -> counters.backPressure() > 100);
            assertThat(counters.received()).isLessThanOrEqualTo(256);
            assertThat(counters.ended()).isFalse();

            sink.released.countDown();
            Await.until("the end of the feed", counters::ended);
            assertThat(counters.complete()).isTrue();
        }
        assertThat(sink.sequences)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, EVENTS).boxed().toList());
        assertThat(sink.isClosed).isTrue();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldStopReceiptWhenTheJournalFails() {
        IllegalStateException cause = new IllegalStateException("disk full");
        SlowSink sink = new SlowSink();
        sink.failure = cause;
        sink.released.countDown();
        try (MarketDataService service = launch(sink)) {
            feed.sendNext(100);
            Await.until("the failure", () -> service.failure() != null);
            assertThat(service.failure()).isSameAs(cause);
        }
        assertThat(sink.isClosed).isTrue();
        assertThat(sink.sequences).isEmpty();
        assertThat(errors).containsExactly(cause);
    }

    private MarketDataService launch(SlowSink sink) {
        MarketDataService.Context context = new MarketDataService.Context()
                .journalSinkSupplier(() -> sink)
                .ringSize(256)
                .errorHandler(errors::add);
        context.messagingContext().channels(CHANNELS).errorHandler(errors::add);
        MarketDataService service = MarketDataService.launch(context);
        feed.awaitConnected();
        return service;
    }

    private static final class SlowSink implements JournalSink {
        final CountDownLatch released = new CountDownLatch(1);
        final List<Long> sequences = new ArrayList<>();
        volatile @org.jspecify.annotations.Nullable RuntimeException failure;
        volatile boolean isClosed;

        @Override
        public void append(long receiveTimestampNs, DirectBuffer message, int offset, int length) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            RuntimeException toThrow = failure;
            if (toThrow != null) {
                throw toThrow;
            }
            if (FeedMessages.kind(message, 0, length) == MessageKind.EVENT) {
                sequences.add(FeedMessages.sequence(message, 0));
            }
        }

        @Override
        public void feedId(long feedId) {
            // This sink keeps sequences only.
        }

        @Override
        public long eventsAppended() {
            return sequences.size();
        }

        @Override
        public RuntimeException breakUp(Throwable cause) {
            return new IllegalStateException(cause);
        }

        @Override
        public boolean isForced() {
            return isClosed;
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }
}
