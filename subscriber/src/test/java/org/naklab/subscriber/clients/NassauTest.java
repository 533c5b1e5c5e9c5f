package org.naklab.subscriber.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.paritytrading.nassau.MessageListener;
import com.paritytrading.nassau.moldudp64.MoldUDP64Client;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientState;
import com.paritytrading.nassau.moldudp64.MoldUDP64ClientStatusListener;
import com.paritytrading.nassau.moldudp64.MoldUDP64DefaultMessageStore;
import com.paritytrading.nassau.moldudp64.MoldUDP64DownstreamPacket;
import com.paritytrading.nassau.moldudp64.MoldUDP64RequestServer;
import com.paritytrading.nassau.moldudp64.MoldUDP64Server;
import com.paritytrading.nassau.soupbintcp.SoupBinTCP;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClient;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPClientStatusListener;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPServer;
import com.paritytrading.nassau.soupbintcp.SoupBinTCPServerStatusListener;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.TestEvents;
import org.naklab.subscriber.book.BooksDigest;
import org.naklab.subscriber.book.OrderBooks;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.ItchWriter;
import org.naklab.testing.Await;

/** Talks with Nassau, another implementation of SoupBinTCP and MoldUDP64. */
@Timeout(120)
class NassauTest {
    private static final int EVENTS = 5_000;
    private static final int MAX_DATAGRAM_BYTES = 64 << 10;

    private final ReadBooks read = new ReadBooks();
    private final ItchReader reader = new ItchReader();
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final MessageListener toBooks = message -> {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        reader.read(new UnsafeBuffer(bytes), 0, bytes.length, read);
    };

    @AfterEach
    void endGroup() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
    }

    @Test
    void shouldServeNassausClient() throws IOException {
        try (ServedFeed feed = new ServedFeed();
                SocketChannel channel =
                        SocketChannel.open(feed.server.addresses().orders())) {
            feed.publish(EVENTS / 2);
            ClientStatus status = new ClientStatus();
            SoupBinTCPClient client = new SoupBinTCPClient(channel, 1_024, toBooks, status);
            client.login(login(1));
            while (status.log.isEmpty()) {
                client.receive();
            }
            feed.publish(EVENTS - EVENTS / 2);
            feed.end();
            while (status.log.size() < 2) {
                client.receive();
            }
            assertThat(status.log).containsExactly("accepted TESTDAY at 1", "end");
            assertThat(read.events).hasValue(EVENTS);
            assertThat(read.digest()).isEqualTo(feed.digest());
        }
    }

    @Test
    void shouldRefuseNassausClientWhatIsNotThere() throws IOException {
        try (ServedFeed feed = new ServedFeed();
                SocketChannel channel =
                        SocketChannel.open(feed.server.addresses().orders())) {
            ClientStatus status = new ClientStatus();
            SoupBinTCPClient client = new SoupBinTCPClient(channel, 1_024, toBooks, status);
            client.login(login(1_000_000));
            while (status.log.isEmpty()) {
                client.receive();
            }
            assertThat(status.log).containsExactly("rejected");
        }
    }

    @Test
    void shouldReadNassausServer() throws IOException {
        OrderBooks books = new OrderBooks();
        try (ServerSocketChannel listening =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            ItchClient client = ItchClient.connect(group, (InetSocketAddress) listening.getLocalAddress(), 1, read);
            try (SocketChannel channel = listening.accept()) {
                ServerStatus status = new ServerStatus();
                SoupBinTCPServer server = new SoupBinTCPServer(channel, 1_024, message -> {}, status);
                while (status.logins.isEmpty()) {
                    server.receive();
                }
                assertThat(status.logins).containsExactly(1L);
                TestEvents events = new TestEvents(3);
                UnsafeBuffer buffer = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
                for (int i = 0; i < EVENTS; i++) {
                    OrderEvent event = events.next();
                    books.apply(event);
                    int length = new ItchWriter().write(event, i, buffer, 0);
                    server.send(ByteBuffer.wrap(buffer.byteArray(), 0, length));
                }
                server.endSession();
                assertThat(Await.result("the end of the session", client.ended()))
                        .isEqualTo(ItchClient.End.SESSION_ENDED);
            }
        }
        assertThat(read.events).hasValue(EVENTS);
        assertThat(read.digest()).isEqualTo(BooksDigest.of(books));
    }

    /** The client begins in the middle: it asks the re-request server for what it has not got, and only for that. */
    @Test
    void shouldAnswerTheRequestsOfNassausMoldClient() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramChannel downstream = DatagramChannel.open().bind(new InetSocketAddress(loopback, 0));
                DatagramChannel requests = DatagramChannel.open();
                ServedFeed feed = new ServedFeed(4 << 20, (InetSocketAddress) downstream.getLocalAddress())) {
            feed.publish(EVENTS * 4);
            feed.end();
            // The client never sees the first datagram.
            downstream.receive(ByteBuffer.allocate(MAX_DATAGRAM_BYTES));
            downstream.configureBlocking(false);
            requests.configureBlocking(false);
            MoldStatus status = new MoldStatus();
            MoldUDP64Client client = new MoldUDP64Client(
                    downstream, requests, feed.server.addresses().requests(), toBooks, status, 1);
            Await.until("all messages and the end", () -> {
                while (client.receive() || client.receiveResponse()) {
                    // All that there is.
                }
                return status.isEnded && read.events.get() >= EVENTS * 4;
            });
            assertThat(status.requests).isPositive();
            assertThat(read.digest()).isEqualTo(feed.digest());
        }
    }

    /** Our receiver never gets the first datagrams, and the last do not fit into its buffer: it asks Nassau's re-request server for them. */
    @Test
    void shouldAskNassausRequestServer() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        OrderBooks books = new OrderBooks();
        MoldUDP64DefaultMessageStore store = new MoldUDP64DefaultMessageStore();
        MoldUDP64DownstreamPacket packet = new MoldUDP64DownstreamPacket();
        TestEvents events = new TestEvents(3);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
        try (DatagramChannel requests = DatagramChannel.open().bind(new InetSocketAddress(loopback, 0));
                DatagramChannel downstream = DatagramChannel.open();
                MoldUDP64RequestServer answering = new MoldUDP64RequestServer(requests)) {
            InetSocketAddress local;
            try (DatagramChannel free = DatagramChannel.open().bind(new InetSocketAddress(loopback, 0))) {
                local = (InetSocketAddress) free.getLocalAddress();
            }
            try (MoldClient client =
                    MoldClient.open(group, local, (InetSocketAddress) requests.getLocalAddress(), 1, read)) {
                downstream.connect(local);
                MoldUDP64Server server = new MoldUDP64Server(downstream, "NASSAU");
                CountDownLatch sent = new CountDownLatch(1);
                Future<Boolean> busy = group.submit(() -> sent.await(1, TimeUnit.MINUTES));
                for (int i = 0; i < EVENTS; i++) {
                    OrderEvent event = events.next();
                    books.apply(event);
                    int length = new ItchWriter().write(event, i, buffer, 0);
                    packet.put(ByteBuffer.wrap(buffer.byteArray(), 0, length));
                    store.put(ByteBuffer.wrap(buffer.byteArray(), 0, length));
                    if (packet.messageCount() == 20) {
                        if (i > EVENTS / 2) {
                            server.send(packet);
                        } else {
                            server.setNextSequenceNumber(i + 2);
                        }
                        packet.clear();
                    }
                }
                server.sendEndOfSession();
                sent.countDown();
                requests.configureBlocking(false);
                // The end is sent again and again: as any datagram, it is dropped when the receiver's buffer is full.
                Await.until("the end of the session", () -> {
                    server.sendEndOfSession();
                    answering.serve(store);
                    return client.ended().isDone();
                });
                client.ended().join();
                assertThat(busy.get()).isTrue();
                assertThat(client.asked()).isPositive();
            }
        }
        assertThat(read.events).hasValue(EVENTS);
        assertThat(read.digest()).isEqualTo(BooksDigest.of(books));
    }

    private static SoupBinTCP.LoginRequest login(long sequence) {
        SoupBinTCP.LoginRequest request = new SoupBinTCP.LoginRequest();
        request.setUsername("nassau");
        request.setPassword("");
        request.setRequestedSession("");
        request.setRequestedSequenceNumber(sequence);
        return request;
    }

    private static final class ClientStatus implements SoupBinTCPClientStatusListener {
        final List<String> log = new ArrayList<>();

        @Override
        public void heartbeatTimeout(SoupBinTCPClient session) {
            log.add("timeout");
        }

        @Override
        public void loginAccepted(SoupBinTCPClient session, SoupBinTCP.LoginAccepted payload) {
            log.add("accepted " + payload.getSession().strip() + " at " + payload.getSequenceNumber());
        }

        @Override
        public void loginRejected(SoupBinTCPClient session, SoupBinTCP.LoginRejected payload) {
            log.add("rejected");
        }

        @Override
        public void endOfSession(SoupBinTCPClient session) {
            log.add("end");
        }
    }

    private static final class ServerStatus implements SoupBinTCPServerStatusListener {
        final List<Long> logins = new ArrayList<>();

        @Override
        public void heartbeatTimeout(SoupBinTCPServer session) {
            logins.add(-1L);
        }

        @Override
        public void loginRequest(SoupBinTCPServer session, SoupBinTCP.LoginRequest payload) throws IOException {
            logins.add(payload.getRequestedSequenceNumber());
            SoupBinTCP.LoginAccepted accepted = new SoupBinTCP.LoginAccepted();
            accepted.setSession("NASSAU");
            accepted.setSequenceNumber(1);
            session.accept(accepted);
        }

        @Override
        public void logoutRequest(SoupBinTCPServer session) {
            // Nobody logs out.
        }
    }

    private static final class MoldStatus implements MoldUDP64ClientStatusListener {
        boolean isEnded;
        int requests;

        @Override
        public void state(MoldUDP64Client session, MoldUDP64ClientState next) {
            // Only what it asks for matters.
        }

        @Override
        public void downstream(MoldUDP64Client session, long sequenceNumber, int messageCount) {
            // As above.
        }

        @Override
        public void request(MoldUDP64Client session, long sequenceNumber, int requestedMessageCount) {
            requests++;
        }

        @Override
        public void endOfSession(MoldUDP64Client session) {
            isEnded = true;
        }
    }
}
