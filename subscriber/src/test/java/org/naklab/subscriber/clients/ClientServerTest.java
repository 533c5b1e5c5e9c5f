package org.naklab.subscriber.clients;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.subscriber.itch.BookState;
import org.naklab.subscriber.itch.Quote;
import org.naklab.testing.Await;

@Timeout(120)
class ClientServerTest {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ReadBooks read = new ReadBooks();

    @AfterEach
    void endGroup() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
    }

    /** A late joiner gets a snapshot and what follows it; it does not ask for the whole day. */
    @Test
    void shouldLetALateClientJoinWithASnapshot() {
        try (ServedFeed feed = new ServedFeed(1, null)) {
            feed.publishInSteps(20_000);
            ItchClient client = ItchClient.join(
                    group,
                    feed.server.addresses().snapshots(),
                    feed.server.addresses().orders(),
                    read);
            Await.until("the log-in", () -> client.nextSequence() > 0);
            assertThat(client.nextSequence()).isGreaterThan(20_000);
            feed.publish(1_000);
            feed.end();
            assertThat(Await.result("the end of the session", client.ended())).isEqualTo(ItchClient.End.SESSION_ENDED);
            assertThat(read.digest()).isEqualTo(feed.digest());
            assertThat(read.told).containsExactlyInAnyOrder(BookState.REBUILDING, BookState.VALID);
            assertThat(read.states.values()).isNotEmpty().containsOnly("valid");
        }
    }

    @Test
    void shouldReplayFromASequence() {
        try (ServedFeed feed = new ServedFeed()) {
            feed.publish(1_000);
            ItchClient first = ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            Await.until("the messages", () -> read.events.get() == 1_000);
            long next = first.nextSequence();
            first.close();
            Await.result("the end of the session", first.ended());
            feed.publish(1_000);
            ItchClient second =
                    ItchClient.connect(group, feed.server.addresses().orders(), next, read);
            feed.end();
            assertThat(Await.result("the end of the session", second.ended())).isEqualTo(ItchClient.End.SESSION_ENDED);
            assertThat(read.events).hasValue(2_000);
            assertThat(read.digest()).isEqualTo(feed.digest());
        }
    }

    @Test
    void shouldRefuseASequenceThatTheStoreHasDropped() {
        try (ServedFeed feed = new ServedFeed(1, null)) {
            feed.publishInSteps(20_000);
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            assertThat(Await.result("the end of the session", client.ended())).isEqualTo(ItchClient.End.REJECTED);
        }
    }

    /** It does not pretend that the session has ended in order. */
    @Test
    void shouldBreakOffWhenTheFeedWasFasterThanTheClientsThread() {
        try (ServedFeed feed = new ServedFeed(1, null)) {
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            Await.until("the client", () -> feed.server.counts().connections().served() == 1);
            while (feed.server.failure() == null) {
                feed.publish(20_000);
            }
            feed.end();
            assertThat(Await.result("the end of the session", client.ended())).isEqualTo(ItchClient.End.DISCONNECTED);
            assertThat(feed.server.failure()).hasMessageContaining("slower than the feed");
            ItchClient late = ItchClient.connect(group, feed.server.addresses().orders(), 0, read);
            assertThat(Await.result("the end of the session", late.ended())).isEqualTo(ItchClient.End.REJECTED);
        }
    }

    @Test
    void shouldTellOfEachBookSinceWhenItIsSuspect() {
        try (ServedFeed feed = new ServedFeed()) {
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            feed.publish(1_000);
            Await.until("valid books", () -> read.events.get() == 1_000);
            assertThat(read.states.values()).hasSize(feed.books.size()).containsOnly("valid");
            feed.lose(3);
            feed.publish(1);
            feed.end();
            Await.result("the end of the session", client.ended());
            assertThat(read.states.values()).hasSize(feed.books.size()).containsOnly("SUSPECT since 1001");
        }
    }

    /** An event that is missing after that may be of this book again. */
    @Test
    void shouldTellOfOneBookThatItIsValidAgain() {
        try (ServedFeed feed = new ServedFeed()) {
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            feed.publish(1_000);
            feed.lose(3);
            int confirmed = feed.books.at(0).instrumentId();
            feed.confirm(confirmed);
            feed.publish(1);
            Await.until("the event after that", () -> read.events.get() == 1_001);
            assertThat(read.states.get(confirmed)).isEqualTo("valid");
            assertThat(read.states.values().stream().filter("SUSPECT since 1001"::equals))
                    .hasSize(feed.books.size() - 1);
            feed.lose(1);
            feed.end();
            Await.result("the end of the session", client.ended());
            assertThat(read.states.get(confirmed)).isEqualTo("SUSPECT since 1005");
            assertThat(read.states.values().stream().filter("SUSPECT since 1001"::equals))
                    .hasSize(feed.books.size() - 1);
        }
    }

    /** It is never sent a book with a hole, and costs the others nothing. */
    @Test
    void shouldDisconnectAClientThatDoesNotReadOrderByOrder() {
        try (ServedFeed feed = new ServedFeed(1, null)) {
            ItchClient reading =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            ReadBooks little = new ReadBooks();
            List<ItchClient> stopped = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                stopped.add(
                        ItchClient.connectSlowly(group, feed.server.addresses().orders(), i < 10 ? 0 : 1_000, little));
            }
            Await.until("all clients", () -> feed.server.counts().connections().served() == 21);
            int published = 0;
            while (feed.server.counts().slow().disconnected() < 20) {
                feed.publish(500);
                published += 500;
                int sent = published;
                Await.until("the client that reads", () -> read.events.get() == sent);
            }
            feed.end();
            assertThat(Await.result("the end of the session", reading.ended())).isEqualTo(ItchClient.End.SESSION_ENDED);
            assertThat(read.digest()).isEqualTo(feed.digest());
            assertThat(feed.server.counts().slow().warned()).isEqualTo(20);
            assertThat(feed.server.counts().slow().mostWaitingBytes())
                    .isPositive()
                    .isLessThanOrEqualTo(ClientServer.MOST_WAITING_BYTES);
            stopped.forEach(ItchClient::close);
        }
    }

    @Test
    void shouldLetTheFeedGoOnWhenTheServerIsClosed() {
        ServedFeed feed = new ServedFeed();
        feed.close();
        assertThatCode(() -> feed.publish(1_000)).doesNotThrowAnyException();
    }

    @Test
    void shouldTakeNoSettingsThatCannotWork() {
        assertThatThrownBy(() -> settings("ELEVENCHARS", "127.0.0.1", 1)).hasMessageContaining("ELEVENCHARS");
        assertThatThrownBy(() -> settings("DAY", "192.0.2.1", 1)).hasMessageContaining("loopback device only");
        assertThatThrownBy(() -> settings("DAY", "127.0.0.1", 0)).hasMessageContaining("at least one client");
    }

    private static ClientServer.ClientSettings settings(String session, String address, int maxClients)
            throws UnknownHostException {
        return new ClientServer.ClientSettings(
                "test",
                session,
                InetAddress.getByName(address),
                new ClientServer.ClientSettings.Limits(1, 1 << 10, maxClients, 0),
                null);
    }

    /** The datagrams of the first messages are gone when the receiver binds its socket. */
    @Test
    void shouldAskForTheDatagramsThatAReceiverMissed() throws IOException {
        InetSocketAddress local = freePort();
        try (ServedFeed feed = new ServedFeed(4 << 20, local)) {
            feed.publishInSteps(5_000);
            try (MoldClient client = MoldClient.open(
                    group, local, requireNonNull(feed.server.addresses().requests()), 1, read)) {
                feed.publish(5_000);
                feed.end();
                Await.result("the end of the session", client.ended());
                assertThat(client.asked()).isPositive();
                assertThat(read.events).hasValue(10_000);
                assertThat(read.digest()).isEqualTo(feed.digest());
            }
        }
    }

    private static InetSocketAddress freePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
        }
    }

    /** Reading slowly is a state that ends: the client goes on where it was. */
    @Test
    void shouldReadFreelyAgainAfterReadingSlowly() {
        try (ServedFeed feed = new ServedFeed()) {
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().orders(), 1, read);
            feed.publish(100);
            Await.until("the messages", () -> read.events.get() == 100);
            client.readAtMost(0);
            ItchClient other = ItchClient.connect(group, feed.server.addresses().orders(), 1, new ReadBooks());
            feed.publish(20_000);
            Await.until("the other client", () -> other.nextSequence() > 20_100);
            assertThat(client.nextSequence()).isLessThan(other.nextSequence());
            client.readFreely();
            feed.end();
            assertThat(Await.result("the end of the session", client.ended())).isEqualTo(ItchClient.End.SESSION_ENDED);
            assertThat(read.digest()).isEqualTo(feed.digest());
        }
    }

    @Test
    void shouldConflateBestPricesAndTellHowManyItSkipped() {
        try (ServedFeed feed = new ServedFeed()) {
            ItchClient client =
                    ItchClient.connect(group, feed.server.addresses().quotes(), 0, read);
            Await.until("the client", () -> feed.server.counts().connections().served() == 1);
            // One batch: the clients' thread sees the last of its quotes only.
            feed.publish(20_000);
            feed.end();
            assertThat(Await.result("the end of the session", client.ended())).isEqualTo(ItchClient.End.SESSION_ENDED);
            assertThat(read.quotes).hasSize(feed.books.size());
            for (Quote quote : read.quotes.values()) {
                int id = quote.instrumentId();
                assertThat(List.of(quote.bidPrice(), quote.bidQuantity(), quote.askPrice(), quote.askQuantity()))
                        .containsExactly(
                                feed.books.bestBidPrice(id),
                                feed.books.bestBidQuantity(id),
                                feed.books.bestAskPrice(id),
                                feed.books.bestAskQuantity(id));
            }
            assertThat(feed.server.counts().slow().skippedQuotes()).isEqualTo(read.skipped.get());
        }
    }
}
