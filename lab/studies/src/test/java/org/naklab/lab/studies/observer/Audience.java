package org.naklab.lab.studies.observer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketVersion;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of viewers that read all that the page of a run sends, and draw nothing. One thread reads for all of them: a real audience sits at other machines, and its own cost
 * is not to be measured. Ends with its standard input, and prints how many frames came.
 */
final class Audience {
    private static final int MAX_BYTES = 1 << 20;

    private static final AtomicLong FRAMES = new AtomicLong();
    private static final AtomicLong BYTES = new AtomicLong();

    private Audience() {}

    /**
     * Connects the viewers.
     *
     * @param args address of the page, and the number of viewers
     */
    public static void main(String[] args) throws Exception {
        URI page = URI.create(args[0]);
        URI socket = URI.create("ws://" + page.getAuthority() + page.getPath().replace(".html", ""));
        WebSocketClientProtocolConfig protocol = WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(socket)
                .version(WebSocketVersion.V13)
                .customHeaders(new DefaultHttpHeaders().set("Origin", "http://" + page.getAuthority()))
                .maxFramePayloadLength(MAX_BYTES)
                .build();
        int viewers = Integer.parseInt(args[1]);
        CountDownLatch connected = new CountDownLatch(viewers);
        Bootstrap bootstrap = new Bootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(
                                        new HttpClientCodec(),
                                        new HttpObjectAggregator(MAX_BYTES),
                                        new WebSocketClientProtocolHandler(protocol),
                                        new Viewer(connected));
                    }
                });
        for (int i = 0; i < viewers; i++) {
            Channel unused =
                    bootstrap.connect(socket.getHost(), socket.getPort()).sync().channel();
        }
        connected.await();
        System.out.println("all are there");
        while (System.in.read() >= 0) {
            // Until the end.
        }
        System.out.println(FRAMES + " frames, " + BYTES + " bytes");
        System.exit(0);
    }

    private static final class Viewer extends SimpleChannelInboundHandler<WebSocketFrame> {
        private final CountDownLatch connected;

        Viewer(CountDownLatch connected) {
            this.connected = connected;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
                context.writeAndFlush(new TextWebSocketFrame("{\"columns\": 600, \"windowMs\": 20000}"))
                        .addListener(unused -> connected.countDown());
            }
            context.fireUserEventTriggered(event);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            if (frame instanceof BinaryWebSocketFrame) {
                FRAMES.incrementAndGet();
                BYTES.addAndGet(frame.content().readableBytes());
            }
        }
    }
}
