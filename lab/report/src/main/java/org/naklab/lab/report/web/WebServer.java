package org.naklab.lab.report.web;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;

/** An HTTP server that answers one request for each connection, on threads of its own. */
public final class WebServer implements AutoCloseable {
    private static final int THREADS = 2;
    /** Of those that read files, so that a file that makes one wait makes no connection wait. */
    private static final int WORKERS = 4;

    private static final int MAX_LINE_BYTES = 4_096;
    private static final int MAX_HEADER_BYTES = 8_192;
    private static final long CLOSE_TIMEOUT_MS = 1_000;

    /** Without a quiet period, an event loop that ends leaves open the connection that it was about to register. */
    private static final long CLOSE_QUIET_MS = 20;

    private final EventLoopGroup group;
    private final ExecutorService workers;
    private final Channel channel;

    private WebServer(EventLoopGroup group, ExecutorService workers, Channel channel) {
        this.group = group;
        this.workers = workers;
        this.channel = channel;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it
     * @param errors is told what kept a request from its answer
     * @throws LabException the port is not to be had
     */
    public static WebServer launch(
            String host, int port, HostNames names, WebLimits limits, Pages pages, Consumer<Throwable> errors) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(THREADS, NioIoHandler.newFactory());
        ExecutorService workers = workers(limits.maxConnections());
        Connections connections = new Connections(limits);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection
                                .pipeline()
                                .addLast(
                                        new HttpServerCodec(MAX_LINE_BYTES, MAX_HEADER_BYTES, MAX_HEADER_BYTES),
                                        connections,
                                        new RequestHandler(pages, names, limits, workers, errors));
                    }
                });
        ChannelFuture binding = bootstrap.bind(host, port).awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            stop(group, workers);
            String message = "cannot serve on port " + port + " of " + host + ": " + cause.getMessage()
                    + "; --port and --host name others";
            throw cause instanceof BindException
                    ? new UnavailableException(message, cause)
                    : new LabException(message, cause);
        }
        return new WebServer(group, workers, binding.channel());
    }

    /** Daemons: one that waits for a file must not keep the process. */
    private static ExecutorService workers(int maxWaiting) {
        return new ThreadPoolExecutor(
                WORKERS, WORKERS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(maxWaiting), task -> {
                    Thread thread = new Thread(task, "web-worker");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Returns the port that it listens on. */
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** Returns when it has been closed. */
    public void awaitClosed() throws InterruptedException {
        channel.closeFuture().sync();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        stop(group, workers);
    }

    private static void stop(EventLoopGroup group, ExecutorService workers) {
        workers.shutdownNow();
        group.shutdownGracefully(CLOSE_QUIET_MS, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
    }
}
