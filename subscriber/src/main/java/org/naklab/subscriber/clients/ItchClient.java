package org.naklab.subscriber.clients;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.messaging.feed.OrderEvent;
import org.naklab.subscriber.itch.BookState;
import org.naklab.subscriber.itch.ItchReader;
import org.naklab.subscriber.itch.ItchWriter;
import org.naklab.subscriber.itch.Quote;

/**
 * A client of SoupBinTCP that hands over what it reads, on the thread of its event loop. It begins with a snapshot when it is given the
 * address of one, and asks for the messages that follow it only, not for the whole day.
 */
public final class ItchClient implements AutoCloseable {
    private static final int MAX_PACKET_BYTES = 1 << 10;
    private static final long HEARTBEAT_MS = 1_000;
    private static final int NO_LIMIT = 0;

    private final EventLoopGroup group;
    private final ItchReader.Handler handler;
    private final InetSocketAddress live;
    private final int readBytesPerSecond;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private volatile @Nullable Channel channel;
    private final AtomicLong nextSequence = new AtomicLong();
    private boolean isClosed;

    /** Tells how a client's session ended. */
    public enum End {
        /** The server ended the session: the client has got everything. */
        SESSION_ENDED,
        /** The server refused the log-in. */
        REJECTED,
        /** The connection ended without either. */
        DISCONNECTED
    }

    private ItchClient(
            EventLoopGroup group, InetSocketAddress live, int readBytesPerSecond, ItchReader.Handler handler) {
        this.group = group;
        this.live = live;
        this.readBytesPerSecond = readBytesPerSecond;
        this.handler = handler;
    }

    /**
     * Connects to messages from a sequence on.
     *
     * @param sequence of the first message; 0: only what comes from now on
     */
    public static ItchClient connect(
            EventLoopGroup group, InetSocketAddress live, long sequence, ItchReader.Handler handler) {
        ItchClient client = new ItchClient(group, live, NO_LIMIT, handler);
        client.open(live, sequence, false);
        return client;
    }

    /** Takes a snapshot, and then connects to the messages that follow it. */
    public static ItchClient join(
            EventLoopGroup group, InetSocketAddress snapshots, InetSocketAddress live, ItchReader.Handler handler) {
        ItchClient client = new ItchClient(group, live, NO_LIMIT, handler);
        client.open(snapshots, 1, true);
        return client;
    }

    /**
     * Connects as a client that reads slowly.
     *
     * @param readBytesPerSecond that it reads after the log-in; less than 1: it reads nothing
     */
    public static ItchClient connectSlowly(
            EventLoopGroup group, InetSocketAddress live, int readBytesPerSecond, ItchReader.Handler handler) {
        ItchClient client = new ItchClient(group, live, readBytesPerSecond < 1 ? -1 : readBytesPerSecond, handler);
        client.open(live, 0, false);
        return client;
    }

    /** Completes when the session is over. */
    public CompletableFuture<End> ended() {
        return ended;
    }

    /** Returns the sequence of the next message that it expects; 0 before the log-in. Any thread. */
    public long nextSequence() {
        return nextSequence.get();
    }

    /**
     * Reads slowly from now on, or not at all, until {@link #readFreely()}. Any thread.
     *
     * @param bytesPerSecond that it reads; less than 1: it reads nothing
     */
    public void readAtMost(int bytesPerSecond) {
        onPipeline(pipeline -> {
            if (pipeline.get(SlowReading.class) == null) {
                pipeline.addFirst(new SlowReading(bytesPerSecond));
            }
        });
    }

    /** Reads all there is again. Any thread. */
    public void readFreely() {
        onPipeline(pipeline -> {
            if (pipeline.get(SlowReading.class) != null) {
                pipeline.remove(SlowReading.class);
            }
        });
    }

    private void onPipeline(Consumer<ChannelPipeline> change) {
        Channel open = channel;
        if (open != null) {
            open.eventLoop().execute(() -> {
                if (open.isActive()) {
                    change.accept(open.pipeline());
                }
            });
        }
    }

    @Override
    public void close() {
        group.execute(() -> {
            isClosed = true;
            Channel open = channel;
            if (open != null) {
                Channels.close(open);
            }
            ended.complete(End.DISCONNECTED);
        });
    }

    private void open(InetSocketAddress address, long sequence, boolean isSnapshot) {
        new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        if (readBytesPerSecond != NO_LIMIT) {
                            connection.config().setReceiveBufferSize(MAX_PACKET_BYTES);
                            connection.pipeline().addLast(new SlowReading(readBytesPerSecond));
                        }
                        connection
                                .pipeline()
                                .addLast(SoupPacket.framing(MAX_PACKET_BYTES), new Session(sequence, isSnapshot));
                    }
                })
                .connect(address)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        ended.complete(End.DISCONNECTED);
                    }
                });
    }

    /** One connection: that of the snapshot or that of the messages. */
    private final class Session extends SimpleChannelInboundHandler<ByteBuf> implements ItchReader.Handler {
        private final long firstSequence;
        private final boolean isSnapshot;
        private final ItchReader reader = new ItchReader();
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_PACKET_BYTES]);
        private @Nullable Future<?> heartbeats;
        private long follows;

        Session(long firstSequence, boolean isSnapshot) {
            this.firstSequence = firstSequence;
            this.isSnapshot = isSnapshot;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            if (isClosed) {
                Channels.close(context);
                return;
            }
            Channels.send(context.channel(), SoupPacket.login(context.alloc(), "LAB", "", firstSequence));
            heartbeats = context.executor()
                    .scheduleWithFixedDelay(
                            () -> heartbeat(context), HEARTBEAT_MS, HEARTBEAT_MS, TimeUnit.MILLISECONDS);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            switch (frame.readByte()) {
                case SoupPacket.LOGIN_ACCEPTED -> {
                    if (!isSnapshot) {
                        nextSequence.set(SoupPacket.acceptedSequence(frame));
                    }
                }
                case SoupPacket.LOGIN_REJECTED -> end(context, End.REJECTED);
                case SoupPacket.SEQUENCED -> {
                    if (!isSnapshot) {
                        nextSequence.incrementAndGet();
                    }
                    read(frame);
                }
                case SoupPacket.UNSEQUENCED -> read(frame);
                case SoupPacket.END_OF_SESSION -> onEndOfSession(context);
                default -> {
                    // Heartbeats and texts for people.
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (heartbeats != null) {
                heartbeats.cancel(false);
            }
            if (!isSnapshot || follows == 0) {
                ended.complete(End.DISCONNECTED);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ended.completeExceptionally(cause);
            Channels.close(context);
        }

        @Override
        public void onEvent(OrderEvent event, long timeNs) {
            handler.onEvent(event, timeNs);
        }

        @Override
        public void onState(int instrumentId, BookState state, long sequence, long timeNs) {
            handler.onState(instrumentId, state, sequence, timeNs);
        }

        @Override
        public void onQuote(Quote quote, int skipped) {
            handler.onQuote(quote, skipped);
        }

        @Override
        public void onSnapshotEnd(long sequence) {
            follows = sequence;
            handler.onSnapshotEnd(sequence);
        }

        @Override
        public void onEnd() {
            handler.onEnd();
        }

        private void read(ByteBuf frame) {
            int length = frame.readableBytes();
            if (length > 0 && length <= ItchWriter.MAX_LENGTH) {
                frame.readBytes(message.byteArray(), 0, length);
                reader.read(message, 0, length, this);
            }
        }

        private void onEndOfSession(ChannelHandlerContext context) {
            if (isSnapshot && follows > 0) {
                Channels.close(context);
                open(live, follows, false);
            } else {
                end(context, isSnapshot ? End.DISCONNECTED : End.SESSION_ENDED);
            }
        }

        private void end(ChannelHandlerContext context, End end) {
            ended.complete(end);
            Channels.close(context);
        }

        private void heartbeat(ChannelHandlerContext context) {
            if (context.channel().isActive()) {
                Channels.send(context.channel(), SoupPacket.empty(context.alloc(), SoupPacket.CLIENT_HEARTBEAT));
            }
        }
    }
}
