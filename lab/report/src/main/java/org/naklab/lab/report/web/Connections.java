package org.naklab.lab.report.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the connections in number and in time. When there are too many, a client that is slow to ask makes room for one that is not, so that
 * who only holds connections keeps nobody out.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {
    /** Each holds a connection for as long as its viewer looks. */
    private static final int MAX_SOCKETS = 64;

    private final WebLimits limits;
    /** Oldest first. */
    private final Set<Channel> waiting = new LinkedHashSet<>();

    private final Set<Channel> answering = new LinkedHashSet<>();

    /** WebSockets: they have no deadline, and make room for nobody. */
    private final Set<Channel> sockets = new HashSet<>();

    Connections(WebLimits limits) {
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        makeRoom();
        synchronized (this) {
            waiting.add(channel);
        }
        ScheduledFuture<?> unused =
                context.executor().schedule(() -> end(channel), limits.deadlineMs(), TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            synchronized (this) {
                if (waiting.remove(context.channel())) {
                    answering.add(context.channel());
                }
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        synchronized (this) {
            waiting.remove(context.channel());
            answering.remove(context.channel());
            sockets.remove(context.channel());
        }
        context.fireChannelInactive();
    }

    /** Keeps a connection as a WebSocket; returns false if there are too many. */
    synchronized boolean keep(Channel channel) {
        if (!channel.isActive() || sockets.size() >= MAX_SOCKETS) {
            return false;
        }
        waiting.remove(channel);
        answering.remove(channel);
        sockets.add(channel);
        return true;
    }

    private void end(Channel channel) {
        boolean isKept;
        synchronized (this) {
            isKept = sockets.contains(channel);
        }
        if (!isKept) {
            close(channel);
        }
    }

    private void makeRoom() {
        Channel oldest = null;
        synchronized (this) {
            if (waiting.size() + answering.size() >= limits.maxConnections()) {
                Set<Channel> from = waiting.isEmpty() ? answering : waiting;
                oldest = from.iterator().next();
                from.remove(oldest);
            }
        }
        if (oldest != null) {
            close(oldest);
        }
    }

    private static void close(Channel channel) {
        ChannelFuture unused = channel.close();
    }
}
