package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads from a connection so many bytes a second, or nothing after the first read. */
final class SlowReading extends ChannelInboundHandlerAdapter {
    private static final int READ_BYTES = 100;

    private final int bytesPerSecond;
    private @Nullable Future<?> next;

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
        context.channel().config().setAutoRead(false);
        context.channel()
                .config()
                .setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.fireChannelActive();
        if (bytesPerSecond >= 1) {
            context.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        long bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : READ_BYTES;
        context.fireChannelRead(message);
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
        if (next != null) {
            next.cancel(false);
        }
        context.fireChannelInactive();
    }
}
