package org.naklab.subscriber.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.subscriber.itch.ItchWriter;

@Timeout(60)
class MessageStoreTest {
    private final MessageStore store = new MessageStore(2 * MessageStore.SEGMENT_BYTES);

    /** A reader that stopped keeps its segment, and none of those that follow. */
    @Test
    void shouldCutOffWhatItDrops() {
        append(1);
        MessageStore.Cursor stopped = Objects.requireNonNull(store.cursorAt(1));
        appendUntilDropped();
        assertThat(stopped.isLost()).isTrue();
        stopped.advance(stopped.available());
        assertThat(stopped.available()).isZero();
        assertThat(stopped.isLost()).isTrue();
    }

    @Test
    void shouldHaveAPlaceForEachMessageThatItKeeps() {
        appendUntilDropped();
        long oldest = store.oldestSequence();
        assertThat(store.cursorAt(oldest - 1)).isNull();
        assertThat(Objects.requireNonNull(store.cursorAt(oldest)).available()).isPositive();
        assertThat(Objects.requireNonNull(store.cursorAt(store.nextSequence())).available())
                .isZero();
        assertThat(store.cursorAt(store.nextSequence() + 1)).isNull();
    }

    @Test
    void shouldTellThatTheBooksCannotCatchUp() {
        ServedBooks books = new ServedBooks(store);
        appendUntilDropped();
        assertThat(books.catchUp()).isFalse();
        assertThat(books.catchUp()).isFalse();
    }

    /** Receivers see the gap, and not a feed that stands still. */
    @Test
    void shouldSendDatagramsFromTheOldestMessageOnWhenOthersWereDropped() throws IOException, InterruptedException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (DatagramChannel receiver = DatagramChannel.open().bind(new InetSocketAddress(loopback, 0))) {
            MoldServer server = MoldServer.open(
                    group,
                    loopback,
                    (InetSocketAddress) receiver.getLocalAddress(),
                    "TESTDAY",
                    store,
                    new FeedPublisher(store, DayClock.now(), () -> {}));
            appendUntilDropped();
            server.pump();
            ByteBuffer datagram = ByteBuffer.allocate(2_000);
            receiver.receive(datagram);
            assertThat(datagram.getLong(10)).isEqualTo(store.oldestSequence()).isGreaterThan(1);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000);
        }
    }

    private void appendUntilDropped() {
        while (store.oldestSequence() == 1) {
            append(100);
        }
    }

    private void append(int count) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
        for (int i = 0; i < count; i++) {
            store.append(buffer, new ItchWriter().writeDirectory(1, i, buffer, 0));
        }
        store.publish();
    }
}
