package org.naklab.lab.dashboard;

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
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;

/** An HTTP server of the runs in a directory. It reads them anew for each request, writes nothing, and knows no user. */
public final class Dashboard implements AutoCloseable {
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

    private Dashboard(EventLoopGroup group, ExecutorService workers, Channel channel) {
        this.group = group;
        this.workers = workers;
        this.channel = channel;
    }

    /**
     * Starts it.
     *
     * @param port 0: any that is free
     * @param names by which browsers may call it, beside those of loopback and {@code host}
     * @param errors is told what kept a request from its answer
     * @throws LabException when there is no such directory, or the port is not to be had
     */
    public static Dashboard launch(
            String host, int port, Path runs, Collection<String> names, Consumer<Throwable> errors) {
        return launch(host, port, runs, new HostNames(host, names), ServeLimits.USUAL, errors);
    }

    static Dashboard launch(
            String host, int port, Path runs, HostNames names, ServeLimits limits, Consumer<Throwable> errors) {
        Router pages = new Router(new RunCatalog(runs, limits), limits);
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
                                        new RequestHandler(pages, names, workers, errors));
                    }
                });
        ChannelFuture binding = bootstrap.bind(host, port).awaitUninterruptibly();
        Throwable cause = binding.cause();
        if (cause != null) {
            stop(group, workers);
            throw new LabException(
                    "cannot serve on port " + port + " of " + host + ": " + cause.getMessage()
                            + "; --port and --host name others",
                    cause);
        }
        return new Dashboard(group, workers, binding.channel());
    }

    /** Daemons: one that waits for a file must not keep the process. */
    private static ExecutorService workers(int maxWaiting) {
        return new ThreadPoolExecutor(
                WORKERS, WORKERS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(maxWaiting), task -> {
                    Thread thread = new Thread(task, "dashboard-reader");
                    thread.setDaemon(true);
                    return thread;
                });
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
        channel.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS);
        stop(group, workers);
    }

    private static void stop(EventLoopGroup group, ExecutorService workers) {
        workers.shutdownNow();
        group.shutdownGracefully(CLOSE_QUIET_MS, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
    }
}
