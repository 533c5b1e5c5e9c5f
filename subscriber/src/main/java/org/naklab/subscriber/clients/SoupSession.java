package org.naklab.subscriber.clients;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server's side of a connection of SoupBinTCP: log-in, heartbeats, time-outs. Of the thread that serves clients. */
abstract class SoupSession extends SimpleChannelInboundHandler<ByteBuf> {
    private static final long HEARTBEAT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOGIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLIENT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);

    private final Sessions sessions;
    private @Nullable Channel channel;
    private boolean isLoggedIn;
    private boolean isEnding;
    private long heardNs;
    private long sentNs;

    SoupSession(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Takes a client in.
     *
     * @param sequence of the first message that it wants; 0: only what comes from now on
     * @return the sequence of the first message that it gets; -1 when it is refused
     */
    abstract long logIn(long sequence);

    /** Sends what there is, unless the client does not read. */
    abstract void pump();

    /** Sends what there is while the feed goes on, and heartbeats; ends a connection whose client is silent. */
    final void tend(long nowNs) {
        Channel open = channel;
        if (open == null) {
            return;
        }
        if (nowNs - heardNs > (isLoggedIn ? CLIENT_TIMEOUT_NS : LOGIN_TIMEOUT_NS)) {
            Channels.close(open);
        } else if (isLoggedIn) {
            pumpIfActive();
            if (nowNs - sentNs >= HEARTBEAT_NS && open.isWritable()) {
                send(SoupPacket.empty(open.alloc(), SoupPacket.SERVER_HEARTBEAT));
            }
        }
    }

    final void pumpIfActive() {
        if (isLoggedIn && !isEnding && channel != null && channel.isActive()) {
            pump();
        }
    }

    final boolean isWritable() {
        return channel != null && channel.isWritable();
    }

    final void send(ByteBuf packet) {
        if (channel == null) {
            packet.release();
            return;
        }
        sentNs = System.nanoTime();
        Channels.send(channel, packet);
        sessions.onWaiting(waitingBytes(channel));
    }

    /** Returns what was written and the socket has not taken, bytes. */
    private static long waitingBytes(Channel channel) {
        WriteBufferWaterMark mark = channel.config().getWriteBufferWaterMark();
        return channel.isWritable()
                ? mark.high() - channel.bytesBeforeUnwritable()
                : mark.low() + channel.bytesBeforeWritable();
    }

    final void send(byte type, String text) {
        if (channel != null) {
            send(SoupPacket.text(channel.alloc(), type, text));
        }
    }

    /** Ends the session in order: the client has got everything. */
    final void end() {
        if (channel != null && !isEnding) {
            isEnding = true;
            channel.writeAndFlush(SoupPacket.empty(channel.alloc(), SoupPacket.END_OF_SESSION))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Ends the connection at once; what was not sent is dropped. */
    final void drop() {
        isEnding = true;
        if (channel != null) {
            Channels.close(channel);
        }
    }

    final Sessions sessions() {
        return sessions;
    }

    @Override
    public final void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        heardNs = System.nanoTime();
        sentNs = heardNs;
        if (!sessions.add(this)) {
            refuse(context);
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext context) {
        channel = null;
        sessions.remove(this);
    }

    @Override
    public final void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            pumpIfActive();
        }
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A client that breaks the protocol or goes away is no failure of the server.
        sessions.onBroken(cause);
        Channels.close(context);
    }

    @Override
    protected final void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (isEnding) {
            return;
        }
        heardNs = System.nanoTime();
        byte type = frame.isReadable() ? frame.readByte() : SoupPacket.CLIENT_HEARTBEAT;
        switch (type) {
            case SoupPacket.LOGIN_REQUEST -> onLogin(context, frame);
            case SoupPacket.LOGOUT_REQUEST -> Channels.close(context);
            default -> {
                // Heartbeats are noted; this server takes no other message. Before the log-in they would hold the place
                // of others.
                if (!isLoggedIn) {
                    drop();
                }
            }
        }
    }

    private void onLogin(ChannelHandlerContext context, ByteBuf body) {
        SoupPacket.Login login = SoupPacket.Login.of(body);
        boolean isHere = login != null
                && !isLoggedIn
                && (login.session().isEmpty() || login.session().equals(sessions.name()));
        long sequence = login != null && isHere ? logIn(login.sequence()) : -1;
        if (sequence < 0) {
            refuse(context);
        } else {
            isLoggedIn = true;
            sessions.onLoggedIn();
            send(SoupPacket.accepted(context.alloc(), sessions.name(), sequence));
            pumpIfActive();
        }
    }

    private void refuse(ChannelHandlerContext context) {
        isEnding = true;
        ByteBuf rejected = SoupPacket.text(
                context.alloc(), SoupPacket.LOGIN_REJECTED, String.valueOf((char) SoupPacket.NOT_AVAILABLE));
        context.writeAndFlush(rejected).addListener(ChannelFutureListener.CLOSE);
    }
}
