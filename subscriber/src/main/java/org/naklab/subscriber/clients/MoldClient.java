package org.naklab.subscriber.clients;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.ItchWriter;

/**
 * A receiver of MoldUDP64 that hands over each message once, in order, on the thread of its event loop. It asks the re-request server for what it
 * misses, from the first message that it misses on, and drops what comes ahead of that meanwhile: so its memory is bounded.
 */
public final class MoldClient implements AutoCloseable {
    private static final int SESSION_BYTES = 10;
    private static final int HEAD_BYTES = 20;
    private static final int END_OF_SESSION = 0xFFFF;
    private static final int MOST_ASKED = 0xFFFE;
    private static final long ASK_AGAIN_MS = 20;

    private final ItchReader.Handler handler;
    private final InetSocketAddress requests;
    private final ItchReader reader = new ItchReader();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[ItchWriter.MAX_LENGTH]);
    private final byte[] session = new byte[SESSION_BYTES];
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicLong asked = new AtomicLong();
    private final Channel downstream;
    private final Channel answers;
    private final Future<?> asking;
    private long nextSequence;
    /** What the server is known to have sent, and one more. */
    private long knownSequence;

    private boolean hasProgressed;
    private boolean isOver;

    private MoldClient(
            EventLoopGroup group,
            InetSocketAddress local,
            InetSocketAddress requests,
            long firstSequence,
            ItchReader.Handler handler)
            throws InterruptedException {
        this.handler = handler;
        this.requests = requests;
        nextSequence = firstSequence;
        knownSequence = firstSequence;
        // One thread for both sockets. The first datagram may open a gap, which is asked for at once.
        EventLoop loop = group.next();
        answers = bind(loop, new InetSocketAddress(local.getAddress(), 0));
        downstream = bind(loop, local);
        asking = answers.eventLoop()
                .scheduleWithFixedDelay(this::askAgain, ASK_AGAIN_MS, ASK_AGAIN_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Binds the socket to which the datagrams are sent.
     *
     * @param local address and port of the datagrams
     * @param requests where missing messages are asked for
     * @param firstSequence of the first message that it wants
     * @throws IllegalStateException when this thread was interrupted
     */
    public static MoldClient open(
            EventLoopGroup group,
            InetSocketAddress local,
            InetSocketAddress requests,
            long firstSequence,
            ItchReader.Handler handler) {
        try {
            return new MoldClient(group, local, requests, firstSequence, handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a socket for datagrams was bound", e);
        }
    }

    /** Completes when the session is over and nothing of it is missing, or exceptionally when a message cannot be read. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Returns how often it asked for messages. Any thread. */
    public long asked() {
        return asked.get();
    }

    @Override
    public void close() {
        asking.cancel(false);
        Channels.close(downstream);
        Channels.close(answers);
    }

    private Channel bind(EventLoopGroup group, InetSocketAddress address) throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(NioDatagramChannel.class)
                .handler(new Datagrams())
                .bind(address)
                .sync()
                .channel();
    }

    /** Asks again for what has not come since. */
    private void askAgain() {
        if (!hasProgressed && nextSequence < knownSequence) {
            ask();
        }
        hasProgressed = false;
    }

    private void ask() {
        asked.lazySet(asked.getPlain() + 1);
        ByteBuf request = answers.alloc().buffer(HEAD_BYTES);
        request.writeBytes(session).writeLong(nextSequence).writeShort((int)
                Math.min(MOST_ASKED, knownSequence - nextSequence));
        answers.writeAndFlush(new DatagramPacket(request, requests))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    private void take(ByteBuf datagram) {
        datagram.readBytes(session);
        long sequence = datagram.readLong();
        int count = datagram.readUnsignedShort();
        isOver |= count == END_OF_SESSION;
        int messages = isOver && count == END_OF_SESSION ? 0 : count;
        boolean wasMissing = nextSequence < knownSequence;
        knownSequence = Math.max(knownSequence, sequence + messages);
        for (int i = 0; i < messages; i++) {
            int length = datagram.readUnsignedShort();
            if (sequence + i == nextSequence && length > 0 && length <= ItchWriter.MAX_LENGTH) {
                datagram.getBytes(datagram.readerIndex(), message.byteArray(), 0, length);
                reader.read(message, 0, length, handler);
                nextSequence++;
                hasProgressed = true;
            }
            datagram.skipBytes(length);
        }
        if (nextSequence < knownSequence && (!wasMissing || sequence + messages == nextSequence)) {
            // At once when a gap opens, and after each answer for what follows it.
            ask();
        }
        if (isOver && nextSequence == knownSequence) {
            ended.complete(null);
        }
    }

    private final class Datagrams extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            if (packet.content().readableBytes() >= HEAD_BYTES && !ended.isDone()) {
                take(packet.content());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ended.completeExceptionally(cause);
        }
    }
}
