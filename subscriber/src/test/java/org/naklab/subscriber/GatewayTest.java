package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.journaler.Journal;
import org.naklab.messaging.ContextListener;
import org.naklab.messaging.DutyCycleListener;
import org.naklab.messaging.MessagingContext;
import org.naklab.messaging.Topic;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimit;
import org.naklab.messaging.publication.RateLimitMode;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(120)
class GatewayTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(FreePorts.pair());
    private static final long SECOND_NS = 1_000_000_000;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final AtomicLong epochNs = new AtomicLong(1_340_284_800_500_000_000L);
    private final Map<Integer, String> viewed = new ConcurrentHashMap<>();
    private final TestFeed feed = new TestFeed(CHANNELS, TransportProfile.AERON);
    private final AtomicInteger series = new AtomicInteger();
    private final AtomicInteger feedImages = new AtomicInteger();

    @TempDir
    Path directory;

    @AfterEach
    void closeFeed() {
        feed.close();
    }

    @ParameterizedTest
    @EnumSource(RateLimitMode.class)
    void shouldViewTheServicesBooks(RateLimitMode mode) {
        try (MarketDataService gateway = launchGateway();
                MarketDataService service = launchService(mode)) {
            ServiceCounters sent = service.counters();
            ServiceCounters seen = gateway.counters();
            Await.until("the feed at both", () -> feedImages.get() == 2);
            feed.sendNext(5_000);
            feed.sendTrailer();
            Await.until("the feed's end at the service", sent::ended);
            Await.until("the feed's end at the gateway", seen::ended);
            assertThat(seen.complete() && sent.complete()).isTrue();
            assertThat(seen.booksDigest()).isEqualTo(sent.booksDigest()).isEqualTo(feed.booksDigest());
            assertThat(seen.journaled()).isZero();

            Await.until("a series with a viewer", () -> {
                // A series that finds nobody, since the service has not heard of its viewer yet, is followed by
                // another.
                long handled = sent.snapshotsSent() + sent.snapshotsUnheard();
                if (handled == (long) series.get() * feed.books().size() && seen.seriesComplete() == 0) {
                    if (sent.snapshotsSent() == 0) {
                        series.incrementAndGet();
                        epochNs.addAndGet(SECOND_NS);
                    }
                }
                return seen.seriesComplete() > 0;
            });
            Await.until("all books", () -> viewed.size() == feed.books().size());
            if (mode == RateLimitMode.APPLICATION) {
                assertThat(sent.blockedSends()).isZero();
            }
            if (mode == RateLimitMode.TRANSPORT) {
                Await.until("refused snapshots", () -> sent.blockedSends() > 0);
            }
            assertThat(gateway.latency().snapshots().boundaryToReceived().count())
                    .isGreaterThanOrEqualTo(viewed.size());
            assertThat(gateway.latency().book().dueToBook().count()).isEqualTo(5_000);
            assertThat(gateway.latency().journal().dueToJournaled().count()).isZero();
            assertThat(service.latency().snapshots().boundaryToReceived().count())
                    .isZero();
        }
        assertViewedTheBooks();
        assertThat(errors).isEmpty();
    }

    /** Whatever the thread of the snapshots waits for: the feed does not wait. */
    @Test
    void shouldReceiveWhileTheContextOfTheSnapshotsStandsStill() {
        CountDownLatch release = new CountDownLatch(1);
        MessagingContext.Context own = new MessagingContext.Context()
                .channels(CHANNELS)
                .profile(TransportProfile.AERON)
                .dutyCycleListener(standingStillUntil(release))
                .errorHandler(errors::add);
        try (MarketDataService gateway = launchGateway();
                MarketDataService service = MarketDataService.launch(context("test-service")
                        .journalContext(new Journal.Context().directory(directory))
                        .epochNanoClock(epochNs::get)
                        .snapshotContext(own))) {
            Await.until("the feed at both", () -> feedImages.get() == 2);
            feed.sendNext(5_000);
            feed.sendTrailer();
            Await.until("the feed's end at the service", service.counters()::ended);
            assertThat(service.counters().complete()).isTrue();
            assertThat(gateway.counters().snapshotsReceived()).isZero();

            release.countDown();
            Await.until("a snapshot", () -> {
                epochNs.addAndGet(SECOND_NS);
                return gateway.counters().snapshotsReceived() > 0;
            });
        } finally {
            release.countDown();
        }
        assertThat(errors).isEmpty();
    }

    private static DutyCycleListener standingStillUntil(CountDownLatch release) {
        return new DutyCycleListener() {
            @Override
            public void onPolled(long timeNs) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void onCycleEnd(long timeNs) {}
        };
    }

    private void assertViewedTheBooks() {
        OrderBooks books = feed.books();
        for (int i = 0; i < books.size(); i++) {
            assertThat(viewed.get(books.at(i).instrumentId())).isEqualTo(Snapshots.book(books.at(i), 10));
        }
    }

    private MarketDataService launchGateway() {
        return MarketDataService.launch(context("test-gateway")
                .role(ServiceRole.GATEWAY)
                .snapshotListener(snapshot -> viewed.put(snapshot.instrumentId(), Snapshots.book(snapshot))));
    }

    private MarketDataService launchService(RateLimitMode mode) {
        EpochNanoClock clock = epochNs::get;
        return MarketDataService.launch(context("test-service")
                .journalContext(new Journal.Context().directory(directory))
                .epochNanoClock(clock)
                .snapshotRateMode(mode)
                .snapshotRateLimit(new RateLimit(500_000, 20_000_000)));
    }

    private MarketDataService.Context context(String name) {
        MarketDataService.Context context =
                new MarketDataService.Context().name(name).errorHandler(errors::add);
        context.messagingContext()
                .channels(CHANNELS)
                .profile(TransportProfile.AERON)
                .errorHandler(errors::add)
                .listener(new ContextListener() {
                    @Override
                    public void onImageAvailable(Topic topic, int sessionId, long timeNs) {
                        feedImages.addAndGet(topic == Topic.ORDER_BOOK_EVENTS ? 1 : 0);
                    }
                });
        return context;
    }
}
