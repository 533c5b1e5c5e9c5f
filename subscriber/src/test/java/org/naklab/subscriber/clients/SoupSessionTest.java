package org.naklab.subscriber.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.naklab.messaging.feed.EventTimes;
import org.naklab.messaging.feed.EventType;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.messaging.feed.Side;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.Quote;

/** The server's sessions without sockets: the test says when a client reads. */
class SoupSessionTest {
    private final MessageStore store = new MessageStore(2 * MessageStore.SEGMENT_BYTES);
    private final FeedPublisher publisher = new FeedPublisher(store, DayClock.now(), () -> {});
    private final ServedBooks books = new ServedBooks(store);
    private final Sessions sessions = new Sessions("TESTDAY", 2);
    private final OrderEvent event = new OrderEvent();
    private long orders;

    @Test
    void shouldTellHowManyBestPricesWereSkipped() {
        QuoteSession session = new QuoteSession(sessions, books);
        EmbeddedChannel channel = logIn(session);
        publish(1);
        session.pump();
        setReads(channel, false);
        publish(4);
        session.pump();
        List<String> read = new ArrayList<>();
        readQuotes(channel, read);
        assertThat(read).containsExactly("1 at 1 after 0");
        setReads(channel, true);
        readQuotes(channel, read);
        assertThat(read).containsExactly("1 at 1 after 0", "1 at 5 after 3");
        assertThat(sessions.skippedQuotes).hasValue(3);
    }

    @Test
    void shouldNotEndBeforeTheLastMessageIsPublished() {
        OrderSession session = new OrderSession(sessions, store, publisher);
        EmbeddedChannel channel = logIn(session);
        publisher.onApplied(add(), EventTimes.UNKNOWN);
        publisher.onEnd();
        session.pump();
        assertThat(channel.isOpen()).isTrue();
        publisher.onBatchEnd();
        session.pump();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldNotEndBestPricesBeforeTheBooksHaveTakenAll() {
        QuoteSession session = new QuoteSession(sessions, books);
        EmbeddedChannel channel = logIn(session);
        publisher.onApplied(add(), EventTimes.UNKNOWN);
        publisher.onEnd();
        publisher.onBatchEnd();
        session.pump();
        assertThat(channel.isOpen()).isTrue();
        assertThat(books.catchUp()).isTrue();
        session.pump();
        assertThat(channel.isOpen()).isFalse();
    }

    /** It would keep a snapshot in memory that it cannot go on from. */
    @Test
    void shouldDisconnectAClientThatDoesNotTakeItsSnapshot() {
        publish(10);
        SnapshotSession session = new SnapshotSession(sessions, new SnapshotSource(books, store), store);
        EmbeddedChannel channel = open(session);
        setReads(channel, false);
        channel.writeInbound(loginFrame(channel));
        session.tend(System.nanoTime());
        assertThat(channel.isOpen()).isTrue();
        while (store.oldestSequence() == 1) {
            publish(100);
        }
        session.tend(System.nanoTime());
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.disconnected).hasValue(1);
    }

    @Test
    void shouldSendAHeartbeatWhenNothingElseWasSentAndEndAConnectionWhoseClientIsSilent() {
        OrderSession session = new OrderSession(sessions, store, publisher);
        EmbeddedChannel channel = logIn(session);
        long nowNs = System.nanoTime();
        session.tend(nowNs + TimeUnit.MILLISECONDS.toNanos(900));
        ByteBuf early = channel.readOutbound();
        assertThat(early).isNull();
        session.tend(nowNs + TimeUnit.MILLISECONDS.toNanos(1_100));
        ByteBuf heartbeat = channel.readOutbound();
        assertThat(heartbeat.getByte(2)).isEqualTo(SoupPacket.SERVER_HEARTBEAT);
        heartbeat.release();
        assertThat(channel.isOpen()).isTrue();
        session.tend(nowNs + TimeUnit.SECONDS.toNanos(16));
        assertThat(channel.isOpen()).isFalse();
    }

    /** A connection that never logs in would hold the place of another. */
    @Test
    void shouldCloseAConnectionThatDoesNotBeginWithALogIn() {
        EmbeddedChannel channel = open(new OrderSession(sessions, store, publisher));
        channel.writeInbound(SoupPacket.empty(channel.alloc(), SoupPacket.CLIENT_HEARTBEAT));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldRefuseMoreConnectionsThanAreAllowed() {
        logIn(new OrderSession(sessions, store, publisher));
        logIn(new OrderSession(sessions, store, publisher));
        EmbeddedChannel third = open(new OrderSession(sessions, store, publisher));
        ByteBuf answer = third.readOutbound();
        assertThat(answer.getByte(2)).isEqualTo(SoupPacket.LOGIN_REJECTED);
        assertThat(third.isOpen()).isFalse();
        assertThat(sessions.refused).hasValue(1);
        assertThat(sessions.served).hasValue(2);
    }

    private static EmbeddedChannel open(SoupSession session) {
        return new EmbeddedChannel(SoupPacket.framing(256), session);
    }

    private static EmbeddedChannel logIn(SoupSession session) {
        EmbeddedChannel channel = open(session);
        channel.writeInbound(loginFrame(channel));
        ByteBuf answer = channel.readOutbound();
        assertThat(answer.getByte(2)).isEqualTo(SoupPacket.LOGIN_ACCEPTED);
        return channel;
    }

    private static ByteBuf loginFrame(EmbeddedChannel channel) {
        return SoupPacket.login(channel.alloc(), "TEST", "", 0);
    }

    private static void setReads(EmbeddedChannel channel, boolean reads) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, reads);
        channel.runPendingTasks();
    }

    /** Publishes orders to buy, each a better price than the one before. */
    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            publisher.onApplied(add(), EventTimes.UNKNOWN);
        }
        publisher.onBatchEnd();
        assertThat(books.catchUp()).isTrue();
    }

    private OrderEvent add() {
        orders++;
        event.sequence = orders;
        return event.set(EventType.ADD, 1, 0, orders, Side.BUY, orders, 100);
    }

    private static void readQuotes(EmbeddedChannel channel, List<String> read) {
        ItchReader reader = new ItchReader();
        for (ByteBuf packets = channel.readOutbound(); packets != null; packets = channel.readOutbound()) {
            while (packets.isReadable()) {
                byte[] message = new byte[packets.readShort() - 1];
                assertThat(packets.readByte()).isEqualTo(SoupPacket.UNSEQUENCED);
                packets.readBytes(message);
                reader.read(new UnsafeBuffer(message), 0, message.length, new ItchReader.Handler() {
                    @Override
                    public void onEvent(OrderEvent event, long timeNs) {
                        throw new AssertionError("an event among best prices");
                    }

                    @Override
                    public void onQuote(Quote quote, int skipped) {
                        read.add(quote.instrumentId() + " at " + quote.bidPrice() + " after " + skipped);
                    }
                });
            }
        }
    }
}
