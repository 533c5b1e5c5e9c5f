package org.naklab.lab.replica.customers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.exchange.synthetic.SyntheticFlow;
import org.naklab.faults.seam.ClientReads;
import org.naklab.lab.core.books.BookView;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.testing.Await;

@Timeout(120)
class ServerClientsTest {
    private static final int INSTRUMENTS = 4;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final SyntheticFlow flow = new SyntheticFlow(new SyntheticFlow.Config(3, INSTRUMENTS));
    private final OrderBooks books = new OrderBooks();
    private final OrderEvent event = new OrderEvent();
    private Serving serving;
    private int datagramPort;
    private long sequence;

    @BeforeEach
    void serve() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            datagramPort = socket.getLocalPort();
        }
        serving = requireNonNull(
                Serving.launch("mds", new ServingConfig(200, 256 << 10, 16 << 10, 1_000_000, datagramPort)));
    }

    @AfterEach
    void end() {
        serving.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
    }

    @Test
    void shouldGiveEveryCustomerTheBooksOfTheServer() {
        ServerClients clients = connect(45);
        publish(2_000, clients);
        Await.until("the late joiner", () -> serving.report().connections().logins() >= 45);
        publish(2_000, clients);
        finish();
        Await.until("all customers", clients::isOver);
        CustomersReport.Served report = report(clients);
        assertThat(report.customers()).isEqualTo(45);
        assertThat(List.of(
                        report.kinds().orders(),
                        report.kinds().lateJoiners(),
                        report.kinds().datagrams(),
                        report.kinds().quotes()))
                .containsExactly(4, 1, 1, 39);
        assertThat(report.progress().ended()).isEqualTo(45);
        assertThat(report.progress().books())
                .containsOnlyKeys(BooksDigest.of(books))
                .containsValue(6);
        assertThat(report.lateness().dueToClient().count()).isPositive();
        assertThat(report.lateness().dueToQuote().count()).isPositive();
        assertThat(report.lateness().staleQuotes()).isNotNull();
    }

    @Test
    void shouldDisconnectACustomerThatStopsAndLetItBeginAgain() {
        ServerClients clients = connect(45);
        publish(500, clients);
        Await.until("the late joiner", () -> serving.report().connections().logins() >= 45);
        ClientReads.SlowReaders slow = clients.slowDown(2, 0);
        assertThat(slow.clients()).isEqualTo(2);
        while (serving.report().slow().disconnected() == 0) {
            publish(500, clients);
        }
        ClientReads.Behind behind = slow.behind();
        assertThat(behind.clients()).isEqualTo(2);
        assertThat(behind.mostMessages()).isPositive();
        slow.release();
        Await.until("the new log-in", () -> serving.report().connections().logins() >= 46);
        publish(500, clients);
        finish();
        Await.until("all customers", clients::isOver);
        CustomersReport.Served report = report(clients);
        assertThat(report.progress().rejoined()).isEqualTo(1);
        assertThat(report.progress().ended()).isEqualTo(45);
        assertThat(report.progress().books())
                .containsOnlyKeys(BooksDigest.of(books))
                .containsValue(6);
        assertThat(serving.report().slow().disconnected()).isEqualTo(1);
    }

    @Test
    void shouldSlowDownNoMoreThanCanBeComparedWithOthers() {
        ServerClients clients = connect(45);
        assertThat(clients.slowDown(1_000, 0).clients()).isEqualTo(3 + 38);
        assertThat(clients.slowDown(1, 0).clients()).isZero();
    }

    @Test
    void shouldShowBooksWithTheirValidityAndAge() {
        ServerClients clients = connect(1);
        assertThat(views(clients)).isEmpty();
        publish(1_000, clients);
        assertThat(views(clients)).hasSize(INSTRUMENTS).allSatisfy(view -> {
            assertThat(view.process()).isEqualTo("mds");
            assertThat(view.validity()).isEqualTo(BookView.Validity.VALID);
            assertThat(view.ageNs()).isNotNegative();
            assertThat(view.bids().get(0).price()).isEqualTo(books.bestBidPrice(view.instrument()));
            assertThat(view.asks().get(0).price()).isEqualTo(books.bestAskPrice(view.instrument()));
        });
        serving.listener().onGap(1_001, 1_003);
        publish(1, clients);
        assertThat(views(clients)).allSatisfy(view -> {
            assertThat(view.validity()).isEqualTo(BookView.Validity.SUSPECT);
            assertThat(view.suspectSince()).isEqualTo(1_001);
        });
    }

    private ServerClients connect(int count) {
        ServerClients clients = new ServerClients(new CustomersConfig.Server("mds", count, datagramPort), 0, loop);
        clients.connect(serving.servedAt());
        Await.until("the log-ins", () -> serving.report().connections().logins() >= Math.max(1, count - 2));
        return clients;
    }

    /** Publishes events, and waits until the first customer has them. */
    private void publish(int count, ServerClients clients) {
        for (int i = 0; i < count; i++) {
            assertThat(flow.next(event)).isTrue();
            event.sequence = ++sequence;
            books.apply(event);
            serving.listener().onApplied(event, System.nanoTime());
        }
        serving.listener().onBatchEnd();
        Await.until("the first customer", () -> clients.referenceMessages() == sequence);
    }

    private void finish() {
        serving.listener().onEnd();
        serving.listener().onBatchEnd();
    }

    private CustomersReport.Served report(ServerClients clients) {
        return requireNonNull(
                loop.submit(() -> clients.report(true)).syncUninterruptibly().getNow());
    }

    private List<BookView> views(ServerClients clients) {
        return loop.submit(() -> clients.views(System.nanoTime()))
                .syncUninterruptibly()
                .getNow();
    }
}
