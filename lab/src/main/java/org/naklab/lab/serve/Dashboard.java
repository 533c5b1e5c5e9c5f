package org.naklab.lab.serve;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.naklab.lab.LabException;

/** An HTTP server of the runs in a directory. It reads them anew for each request, writes nothing, and knows no user. */
public final class Dashboard implements AutoCloseable {
    private static final int THREADS = 2;
    /** Of a request's body, which nothing here takes. */
    private static final int MAX_BODY_BYTES = 4_096;

    private static final int SILENCE_TIMEOUT_S = 10;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final EventLoopGroup group;
    private final Channel channel;

    private Dashboard(EventLoopGroup group, Channel channel) {
        this.group = group;
        this.channel = channel;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param errors is told what kept a request from its answer
     * @throws LabException when there is no such directory, or the port is not to be had
     */
    public static Dashboard launch(String host, int port, Path runs, Consumer<Throwable> errors) {
        Pages pages = new Pages(new RunShelf(runs));
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(THREADS, NioIoHandler.newFactory());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection
                                .pipeline()
                                .addLast(
                                        new ReadTimeoutHandler(SILENCE_TIMEOUT_S),
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_BODY_BYTES),
                                        new RequestHandler(pages, errors));
                    }
                });
        ChannelFuture binding = bootstrap.bind(host, port).awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            stop(group);
            throw new LabException(
                    "cannot serve on port " + port + " of " + host + ": " + cause.getMessage()
                            + "; --port and --host name others",
                    cause);
        }
        return new Dashboard(group, binding.channel());
    }

    /** The one it listens on. */
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns when it has been closed. */
    public void awaitClosed() throws InterruptedException {
        channel.closeFuture().sync();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        stop(group);
    }

    private static void stop(EventLoopGroup group) {
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
    }
}
