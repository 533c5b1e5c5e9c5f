package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.journaler.JournalVerifier;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.codec.AddOrderDecoder;
import org.naklab.messaging.codec.MessageHeaderDecoder;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

/** Messages that are not of the feed, or no messages at all: none is applied or journaled, and each is counted. */
@Timeout(60)
class ForeignFeedTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(FreePorts.pair());
    private static final long FEED_ID = 0x0123_4567_89ab_cdefL;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TestFeed feed = new TestFeed(CHANNELS, TransportProfile.AERON, FEED_ID);

    @TempDir
    Path directory;

    @AfterEach
    void closeFeed() {
        feed.close();
    }

    @Test
    void shouldKeepAnotherFeedOnTheSamePortApart() {
        try (TestFeed other = new TestFeed(CHANNELS, TransportProfile.AERON, FEED_ID + 1);
                MarketDataService gateway = MarketDataService.launch(
                        context(FEED_ID + 1).name("its-gateway").role(ServiceRole.GATEWAY));
                MarketDataService service = launchService()) {
            other.awaitConnected();
            other.sendNext(500);
            other.sendHeartbeat();
            other.sendTrailer();
            Await.until("its own feed at the gateway", gateway.counters()::ended);
            assertThat(gateway.counters().complete()).isTrue();
            feed.sendNext(300);
            feed.sendTrailer();
            Await.until("the end of the feed", service.counters()::ended);
            assertThat(service.counters().complete()).isTrue();
            assertThat(service.counters().received()).isEqualTo(300);
            assertThat(service.counters().duplicated()).isZero();
            assertThat(service.messaging().statistics().foreign().foreignDatagrams())
                    .isPositive();
            assertThat(service.feedId()).isEqualTo(FEED_ID);
        }
        assertThat(JournalVerifier.verify(directory).digest()).isEqualTo(feed.digest());
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldRejectTrailersAndHeartbeatsOfAnotherFeed() {
        try (MarketDataService service = launchService()) {
            feed.sendNext(10);
            feed.sendHeartbeat(1_000_000_000L, FEED_ID + 1);
            feed.sendTrailer(3, 0, FEED_ID + 1);
            feed.sendNext(10);
            feed.sendTrailer();
            Await.until("the end of the feed", service.counters()::ended);
            assertThat(service.counters().complete()).isTrue();
            assertThat(service.counters().rejected()).isEqualTo(2);
        }
        assertThat(JournalVerifier.verify(directory).passed()).isTrue();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldRejectMessagesShorterThanTheirBlockAndUnknownEnumerations() {
        UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
        try (MarketDataService service = launchService()) {
            feed.sendNext(10);
            int length = feed.encodeNext(message);
            feed.send(message, length - 1);
            message.putByte(MessageHeaderDecoder.ENCODED_LENGTH + AddOrderDecoder.sideEncodingOffset(), (byte) 'X');
            feed.send(message, length);
            message.putShort(4, (short) 1);
            feed.send(message, length);
            feed.sendTrailer();
            Await.until("the end of the feed", service.counters()::ended);
            assertThat(service.counters().rejected()).isEqualTo(2);
            assertThat(service.counters().ignored()).isEqualTo(1);
            assertThat(service.counters().complete()).isTrue();
            assertThat(service.failure()).isNull();
        }
        assertThat(JournalVerifier.verify(directory).passed()).isTrue();
        assertThat(errors).isEmpty();
    }

    private MarketDataService launchService() {
        MarketDataService service =
                MarketDataService.launch(context(FEED_ID).journalContext(new Journal.Context().directory(directory)));
        feed.awaitConnected();
        return service;
    }

    private MarketDataService.Context context(long feedId) {
        MarketDataService.Context context = new MarketDataService.Context().errorHandler(errors::add);
        context.messagingContext()
                .channels(CHANNELS)
                .profile(TransportProfile.AERON)
                .feedId(feedId)
                .errorHandler(errors::add);
        return context;
    }
}
