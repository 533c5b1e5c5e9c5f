package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads from a connection so many bytes a second, or nothing after the first read. */
final class SlowReading extends ChannelInboundHandlerAdapter {
    private static final int READ_BYTES = 100;

    private final int bytesPerSecond;
    private @Nullable Future<?> next;
    private @Nullable RecvByteBufAllocator usual;

    /**
     * Creates the limit.
     *
     * @param bytesPerSecond below 1: it reads nothing
     */
    SlowReading(int bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ChannelConfig config = context.channel().config();
        usual = config.getRecvByteBufAllocator();
        config.setAutoRead(false);
        config.setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
        if (context.channel().isActive()) {
            begin(context);
        }
    }

    /** Reads as fast as it can again. */
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        cancel();
        ChannelConfig config = context.channel().config();
        if (usual != null) {
            config.setRecvByteBufAllocator(usual);
        }
        config.setAutoRead(true);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.fireChannelActive();
        begin(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        long bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : READ_BYTES;
        context.fireChannelRead(message);
        if (bytesPerSecond < 1) {
            return;
        }
        next = context.executor()
                .schedule(
                        () -> {
                            context.read();
                        },
                        TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond,
                        TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancel();
        context.fireChannelInactive();
    }

    private void begin(ChannelHandlerContext context) {
        if (bytesPerSecond >= 1) {
            context.read();
        }
    }

    private void cancel() {
        if (next != null) {
            next.cancel(false);
        }
    }
}
