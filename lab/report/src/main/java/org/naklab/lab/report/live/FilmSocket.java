package org.naklab.lab.report.live;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.report.web.PerSecond;

/**
 * Plays a film, or what goes on now, over one WebSocket: 30 frames a second. A frame for a viewer that is slow is left out, never queued: the next one holds its columns as well. A
 * viewer that asks too often is shut out.
 */
final class FilmSocket extends SimpleChannelInboundHandler<WebSocketFrame> {
    private static final long FRAME_NS = TimeUnit.MILLISECONDS.toNanos(33);
    private static final int MAX_COMMANDS_PER_SECOND = 100;

    /** How long a viewer that is shut out has for its answer. */
    private static final long FAREWELL_MS = 1_000;

    private final Playable film;
    private final FilmPlayer player;
    private final News news;
    private long toldNews = -1;
    private @Nullable ScheduledFuture<?> ticking;
    private long tickNs;
    private final PerSecond commands = new PerSecond(System::nanoTime, MAX_COMMANDS_PER_SECOND);
    private int left;
    private boolean isEnding;

    FilmSocket(Playable film) {
        this(film, News.NONE);
    }

    /** @param news what the viewer is told beside the film */
    FilmSocket(Playable film, News news) {
        this.film = film;
        this.news = news;
        player = new FilmPlayer(film);
    }

    /** Begins when the handshake is complete, which adds this handler. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        tickNs = System.nanoTime();
        send(context, new TextWebSocketFrame(Json.line(player.hello())));
        tickLater(context);
    }

    /**
     * Has the next frame made at a moment that is the same for all viewers: many of them wake the processors no more often than one does. Frames that were missed while this
     * process did not run are not made up for: the next one holds their columns.
     */
    private void tickLater(ChannelHandlerContext context) {
        EventExecutor executor = context.executor();
        long waitNs = FRAME_NS - Math.floorMod(executor.ticker().nanoTime(), FRAME_NS);
        ticking = executor.schedule(() -> tick(context), waitNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stopTicking();
    }

    private void stopTicking() {
        ScheduledFuture<?> scheduled = ticking;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }

    private void tick(ChannelHandlerContext context) {
        if (film.isReplaced()) {
            close(context, WebSocketCloseStatus.SERVICE_RESTART, "something else is shown now");
            return;
        }
        tickLater(context);
        long nowNs = System.nanoTime();
        player.advance(nowNs - tickNs);
        tickNs = nowNs;
        if (!context.channel().isWritable()) {
            left++;
            return;
        }
        tellNews(context);
        for (Map<String, Object> message : player.messages()) {
            write(context, new TextWebSocketFrame(Json.line(message)));
        }
        send(context, new BinaryWebSocketFrame(Unpooled.wrappedBuffer(player.frame(left))));
    }

    /** Sends a message with the next one. */
    private static void write(ChannelHandlerContext context, WebSocketFrame frame) {
        ChannelFuture unused = context.write(frame);
    }

    private void tellNews(ChannelHandlerContext context) {
        long changes = news.changes();
        if (changes != toldNews) {
            toldNews = changes;
            write(context, new TextWebSocketFrame(Json.line(Map.of("run", news.now()))));
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
        if (isEnding) {
            if (frame instanceof CloseWebSocketFrame) {
                ChannelFuture unused = context.close();
            }
        } else if (frame instanceof PingWebSocketFrame) {
            send(context, new PongWebSocketFrame(frame.content().retain()));
        } else if (frame instanceof CloseWebSocketFrame) {
            context.writeAndFlush(new CloseWebSocketFrame(WebSocketCloseStatus.NORMAL_CLOSURE, ""))
                    .addListener(ChannelFutureListener.CLOSE);
        } else if (!commands.allows()) {
            close(context, WebSocketCloseStatus.POLICY_VIOLATION, "too many commands");
        } else if (frame instanceof TextWebSocketFrame text) {
            command(context, text.text());
        } else if (!(frame instanceof PongWebSocketFrame)) {
            close(context, WebSocketCloseStatus.INVALID_MESSAGE_TYPE, "commands are text");
        }
    }

    private void command(ChannelHandlerContext context, String text) {
        try {
            player.command(Json.fromLine(text, ViewerCommand.class));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            close(context, WebSocketCloseStatus.INVALID_PAYLOAD_DATA, "no command");
        }
    }

    /**
     * Says why, and reads on until the viewer has answered: if the connection ended while something is unread, the system would reset it, and the viewer
     * might never read the reason.
     */
    private void close(ChannelHandlerContext context, WebSocketCloseStatus status, String reason) {
        isEnding = true;
        stopTicking();
        send(context, new CloseWebSocketFrame(status, reason));
        Runnable end = () -> {
            ChannelFuture unused = context.close();
        };
        ScheduledFuture<?> unused = context.executor().schedule(end, FAREWELL_MS, TimeUnit.MILLISECONDS);
    }

    private static void send(ChannelHandlerContext context, WebSocketFrame frame) {
        ChannelFuture unused = context.writeAndFlush(frame);
    }

    /** A viewer that went away, or that does not speak the protocol, is no error of the server's. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ChannelFuture unused = context.close();
    }
}
