package org.naklab.subscriber.clients;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;

/** Writes to and closes channels; what fails is told to the channel's own handlers. */
final class Channels {
    private Channels() {}

    static void send(Channel channel, Object message) {
        channel.writeAndFlush(message).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    static void close(Channel channel) {
        channel.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    static void close(ChannelHandlerContext context) {
        close(context.channel());
    }
}
