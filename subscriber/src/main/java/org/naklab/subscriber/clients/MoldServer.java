package org.naklab.subscriber.clients;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends every message in datagrams of MoldUDP64 1.00, and answers re-requests on the socket that they come from. An answer has as many of
 * the messages asked for as fit into one datagram; messages that the store has dropped are not answered. When the store has dropped what was
 * not sent yet, it goes on with the oldest message that there is, and the receivers see the gap.
 *
 * <pre>
 *   datagram:    session 10 · sequence 8 · count 2 · { length 2 · message } …     count 0: heartbeat, 0xFFFF: end of the session
 *   re-request:  session 10 · sequence 8 · count 2
 * </pre>
 */
final class MoldServer {
    private static final Logger LOGGER = LoggerFactory.getLogger(MoldServer.class);
    private static final int MAX_BYTES = 1_400;
    private static final int HEAD_BYTES = 20;
    private static final int END_OF_SESSION = 0xFFFF;
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);

    private final byte[] session;
    private final MessageStore store;
    private final FeedPublisher publisher;
    private final InetSocketAddress target;
    private MessageStore.Cursor cursor;
    private Channel channel;
    private long nextSequence = 1;
    private long sentNs = System.nanoTime();

    private MoldServer(
            EventLoopGroup group,
            InetAddress address,
            InetSocketAddress target,
            String session,
            MessageStore store,
            FeedPublisher publisher)
            throws InterruptedException {
        this.session = String.format(Locale.ROOT, "%-10s", session).getBytes(US_ASCII);
        this.store = store;
        this.publisher = publisher;
        this.target = target;
        cursor = Objects.requireNonNull(store.cursorAt(1));
        channel = new Bootstrap()
                .group(group)
                .channel(NioDatagramChannel.class)
                .handler(new Requests())
                .bind(new InetSocketAddress(address, 0))
                .sync()
                .channel();
    }

    static MoldServer open(
            EventLoopGroup group,
            InetAddress address,
            InetSocketAddress target,
            String session,
            MessageStore store,
            FeedPublisher publisher)
            throws InterruptedException {
        return new MoldServer(group, address, target, session, store, publisher);
    }

    InetSocketAddress requestAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    /** Sends what there is. */
    void pump() {
        if (cursor.isLost()) {
            long oldest = store.oldestSequence();
            MessageStore.@Nullable Cursor place = store.cursorAt(oldest);
            if (place == null) {
                return;
            }
            cursor = place;
            nextSequence = oldest;
        }
        while (cursor.available() > 0 && isWritable()) {
            long first = nextSequence;
            ByteBuf datagram = head(first);
            int count = fill(datagram, cursor, Integer.MAX_VALUE);
            nextSequence += count;
            send(datagram.setShort(HEAD_BYTES - 2, count));
        }
        channel.flush();
    }

    /** Sends what there is, and a heartbeat or the end of the session when nothing was sent for a second. */
    void tend(long nowNs) {
        pump();
        if (nowNs - sentNs >= HEARTBEAT_NS) {
            boolean isOver = publisher.hasEnded() && nextSequence == store.nextSequence();
            send(head(nextSequence).setShort(HEAD_BYTES - 2, isOver ? END_OF_SESSION : 0));
            channel.flush();
        }
    }

    /** Whether the socket takes more, if need be after what was written was handed to it. */
    private boolean isWritable() {
        if (!channel.isWritable()) {
            channel.flush();
        }
        return channel.isWritable();
    }

    private void send(ByteBuf datagram) {
        sentNs = System.nanoTime();
        channel.write(new DatagramPacket(datagram, target))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    private ByteBuf head(long sequence) {
        return channel.alloc()
                .buffer(MAX_BYTES)
                .writeBytes(session)
                .writeLong(sequence)
                .writeShort(0);
    }

    /** Adds messages while they fit; returns how many. */
    private static int fill(ByteBuf datagram, MessageStore.Cursor from, int maxCount) {
        int count = 0;
        while (count < maxCount && from.available() > 0) {
            int length = from.messageLength();
            if (datagram.readableBytes() + 2 + length > MAX_BYTES) {
                break;
            }
            datagram.writeShort(length).writeBytes(from.bytes(), from.position() + MessageStore.HEAD_BYTES, length);
            from.skip();
            count++;
        }
        return count;
    }

    private final class Requests extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            ByteBuf request = packet.content();
            if (request.readableBytes() != HEAD_BYTES || !isOfSession(request)) {
                return;
            }
            long first = request.getLong(session.length);
            int wanted = request.getUnsignedShort(HEAD_BYTES - 2);
            MessageStore.@Nullable Cursor place = first < 1 ? null : store.cursorAt(first);
            if (place != null && place.available() > 0 && wanted > 0) {
                ByteBuf answer = head(first);
                answer.setShort(HEAD_BYTES - 2, fill(answer, place, wanted));
                context.writeAndFlush(new DatagramPacket(answer, packet.sender()))
                        .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // A receiver that is gone answers with an ICMP message; the datagrams go on.
            LOGGER.debug("a datagram failed", cause);
        }

        private boolean isOfSession(ByteBuf request) {
            for (int i = 0; i < session.length; i++) {
                if (request.getByte(i) != session[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}
