package org.naklab.subscriber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.journaler.Journal;
import org.naklab.journaler.JournalException;
import org.naklab.journaler.JournalVerifier;
import org.naklab.journaler.Verification;
import org.naklab.journaler.disk.Disk;
import org.naklab.journaler.disk.LocalDisk;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.feed.FeedException;
import org.naklab.testing.Await;
import org.naklab.testing.host.FreePorts;

@Timeout(120)
class MarketDataServiceTest {
    private static final TopicChannels CHANNELS = TopicChannels.onLoopback(FreePorts.pair());

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final TestFeed feed = new TestFeed(CHANNELS, TransportProfile.AERON);

    @TempDir
    Path directory;

    @AfterEach
    void closeFeed() {
        feed.close();
    }

    @Test
    void shouldReceiveApplyAndJournalTheWholeFeed() {
        ServiceCounters counters;
        try (MarketDataService service = launchService()) {
            counters = service.counters();
            feed.sendNext(20_000);
            feed.sendHeartbeat();
            feed.sendTrailer();
            Await.until("the end of the feed", counters::ended);
            assertThat(counters.complete()).isTrue();
            assertThat(service.failure()).isNull();
        }
        assertThat(counters.received()).isEqualTo(20_000);
        assertThat(counters.journaled()).isEqualTo(20_000);
        assertThat(counters.digest()).isEqualTo(feed.digest());
        assertThat(counters.booksDigest()).isEqualTo(feed.booksDigest());
        assertThat(counters.unknownOrders() + counters.doubtfulEvents()).isZero();
        assertThat(errors).isEmpty();

        Verification verification = JournalVerifier.verify(directory);
        assertThat(verification.passed()).isTrue();
        assertThat(verification.events()).isEqualTo(20_000);
        assertThat(verification.digest()).isEqualTo(feed.digest());
    }

    @Test
    void shouldJournalEachEventOnceWhenTheFeedDoublesAndLosesSome() {
        ServiceCounters counters;
        try (MarketDataService service = launchService()) {
            counters = service.counters();
            OrderEvent doubled = feed.sendNext();
            feed.sendNext(100);
            feed.send(doubled);
            OrderEvent late = feed.skipNext();
            feed.skipNext();
            feed.sendNext(10);
            feed.send(late);
            feed.skipNext();
            feed.sendTrailer();
            Await.until("the end of the feed", counters::ended);
            assertThat(counters.complete()).isFalse();
        }
        assertThat(counters.missing()).isEqualTo(2);
        assertThat(counters.suspectSince()).isEqualTo(102);
        assertThat(counters.suspectBookNs()).isPositive();
        assertThat(counters.duplicated()).isEqualTo(1);
        assertThat(counters.reordered()).isEqualTo(1);
        assertThat(counters.received()).isEqualTo(112);
        assertThat(counters.applied()).isEqualTo(111);
        assertThat(counters.journaled()).isEqualTo(111);
        assertThat(errors).isEmpty();

        Verification verification = JournalVerifier.verify(directory);
        assertThat(verification.passed()).isFalse();
        assertThat(verification.missing()).isEqualTo(3);
        assertThat(verification.duplicates() + verification.reordered()).isZero();
    }

    @Test
    void shouldDeriveTheOtherFormatsFromTheJournal() throws IOException {
        Path formats = directory.resolve("formats");
        Files.createDirectory(formats);
        try (MarketDataService service = MarketDataService.launch(context()
                .journalContext(new Journal.Context().directory(directory.resolve("journal")))
                .derivedDirectory(formats))) {
            feed.awaitConnected();
            assertThat(service.isDerived()).isFalse();
            feed.sendNext(2_000);
            feed.sendTrailer();
            Await.until("the derived formats", service::isDerived);
            assertThat(service.derivedEvents()).isEqualTo(2_000);
            assertThat(service.derivedFailure()).isNull();
        }
        try (Stream<Path> files = Files.list(formats)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .anyMatch(name -> name.endsWith(".csv"))
                    .hasSizeGreaterThan(2);
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldLearnFromAHeartbeatThatTheLastEventsAreMissing() {
        try (MarketDataService service = launchService()) {
            feed.sendNext(5);
            feed.skipNext();
            feed.sendHeartbeat();
            Await.until("the gap", () -> service.counters().missing() == 1);
            assertThat(service.counters().suspectSince()).isEqualTo(6);
            assertThat(service.counters().ended()).isFalse();
        }
    }

    @Test
    void shouldFailWhenTheDigestDiffersThoughNothingIsMissing() {
        try (MarketDataService service = launchService()) {
            feed.sendNext(5);
            feed.sendTrailer(feed.digest() ^ 1);
            Await.until("the failure", () -> service.failure() != null);
            assertThat(service.failure()).isInstanceOf(FeedException.class).hasMessageContaining("digest");
            assertThat(service.counters().complete()).isFalse();
        }
        assertThat(errors).hasSize(1);
    }

    @Test
    void shouldStopReceiptWhenTheFeedGoesOnAfterItsTrailer() {
        try (MarketDataService service = launchService()) {
            feed.sendNext(5);
            feed.sendTrailer();
            feed.sendNext();
            Await.until("the failure", () -> service.failure() != null);
            Await.until("what came before", () -> service.counters().applied() == 5);
        }
        assertThat(errors).isNotEmpty();
    }

    @Test
    void shouldJournalWhatTheRingHoldsWhenItIsClosedInTheMiddleOfTheFeed() {
        ServiceCounters counters;
        try (MarketDataService service = launchService()) {
            counters = service.counters();
            feed.sendNext(3_000);
            Await.until("some events", () -> counters.received() > 0);
        }
        assertThat(counters.journaled()).isEqualTo(counters.received()).isPositive();
        assertThat(JournalVerifier.verify(directory).events()).isEqualTo(counters.journaled());
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldTellAfterClosingThatTheJournalIsNotOnDisk() {
        MarketDataService.Context context = context();
        context.journalContext(new Journal.Context().directory(directory).disk(new UnforceableDisk()));
        MarketDataService service = MarketDataService.launch(context);
        assertThat(service.failure()).isNull();
        service.close();

        assertThat(service.isJournalForced()).isFalse();
        assertThat(service.failure()).isInstanceOf(JournalException.class).hasMessageEndingWith("Input/output error");
        assertThat(errors).containsExactly(service.failure());
    }

    @Test
    void shouldForceTheJournalWhenItIsClosed() {
        MarketDataService service = MarketDataService.launch(context());
        assertThat(service.isJournalForced()).isFalse();
        service.close();

        assertThat(service.isJournalForced()).isTrue();
        assertThat(service.failure()).isNull();
    }

    private static final class UnforceableDisk implements Disk {
        @Override
        public void allocate(Path file, long offset, long lengthBytes) throws IOException {
            LocalDisk.INSTANCE.allocate(file, offset, lengthBytes);
        }

        @Override
        public void force(Path path) throws IOException {
            throw new IOException("Input/output error");
        }
    }

    @Test
    void shouldNotLaunchTwice() {
        MarketDataService.Context context = context();
        MarketDataService.launch(context).close();
        assertThatThrownBy(() -> MarketDataService.launch(context)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNotLaunchAServiceWithoutAJournal() {
        assertThatThrownBy(() -> MarketDataService.launch(new MarketDataService.Context()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("journal");
    }

    private MarketDataService launchService() {
        MarketDataService service = MarketDataService.launch(context());
        feed.awaitConnected();
        return service;
    }

    private MarketDataService.Context context() {
        MarketDataService.Context context = new MarketDataService.Context()
                .journalContext(new Journal.Context().directory(directory))
                .errorHandler(errors::add);
        context.messagingContext()
                .channels(CHANNELS)
                .profile(TransportProfile.AERON)
                .errorHandler(errors::add);
        return context;
    }
}
