package org.naklab.subscriber.clients;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.subscriber.AppliedEventListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the clients of a service or a gateway, on one thread of its own.
 *
 * <pre>
 *   business thread ─▶ store of messages ─▶ clients' thread ─┬─▶ every message      SoupBinTCP
 *                                               │            ├─▶ best prices        SoupBinTCP, unsequenced
 *                                               ▼            ├─▶ snapshots          GLIMPSE
 *                                         books as served    └─▶ datagrams, re-requests   MoldUDP64
 * </pre>
 *
 * <p>The business thread only writes to the store. It waits for nobody: neither for a client nor for the clients' thread.
 */
public final class ClientServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ClientServer.class);
    private static final long TEND_MS = 200;
    private static final int MAX_REQUEST_BYTES = 256;
    private static final int LOW_WATER_BYTES = 32 << 10;
    private static final int HIGH_WATER_BYTES = 64 << 10;
    /** The most that a client that does not read costs beside its socket: what the water mark allows, and one write beyond it, bytes. */
    public static final long MOST_WAITING_BYTES = HIGH_WATER_BYTES + MessageStore.SEGMENT_BYTES + MAX_REQUEST_BYTES;

    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final EventLoopGroup group;
    private final MessageStore store;
    private final FeedPublisher publisher;
    private final ServedBooks books;
    private final Sessions sessions;
    private final AtomicBoolean isAwake = new AtomicBoolean();
    private final @Nullable MoldServer mold;
    private final ClientAddresses addresses;
    private final Future<?> tending;
    private final long sendIntervalNs;
    private long pumpedNs = System.nanoTime();
    private boolean isBroken;

    private ClientServer(ClientSettings settings, DayClock clock) throws InterruptedException {
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory(settings.name() + "-clients", true), NioIoHandler.newFactory());
        store = new MessageStore(settings.limits().storeBytes());
        sendIntervalNs = settings.limits().sendIntervalNs();
        publisher = new FeedPublisher(store, clock, this::wake);
        books = new ServedBooks(store);
        sessions = new Sessions(settings.session(), settings.limits().maxClients());
        SnapshotSource snapshots = new SnapshotSource(books, store);
        try {
            InetSocketAddress orders = bind(settings, () -> new OrderSession(sessions, store, publisher));
            InetSocketAddress quotes = bind(settings, () -> new QuoteSession(sessions, books));
            InetSocketAddress snapshot = bind(settings, () -> new SnapshotSession(sessions, snapshots, store));
            InetSocketAddress target = settings.moldTarget();
            mold = target == null
                    ? null
                    : MoldServer.open(group, settings.address(), target, settings.session(), store, publisher);
            addresses = new ClientAddresses(orders, quotes, snapshot, mold == null ? null : mold.requestAddress());
        } catch (RuntimeException | InterruptedException e) {
            end(group);
            throw e;
        }
        tending = group.next().scheduleWithFixedDelay(this::tend, TEND_MS, TEND_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Binds all sockets; clients can log in when this returns.
     *
     * @throws IllegalStateException when a socket cannot be bound, or this thread was interrupted
     */
    public static ClientServer launch(ClientSettings settings, DayClock clock) {
        try {
            return new ClientServer(settings, clock);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the sockets of clients were bound", e);
        }
    }

    /** Returns what the business thread tells of its events. */
    public AppliedEventListener listener() {
        return publisher;
    }

    /** Returns where clients connect. */
    public ClientAddresses addresses() {
        return addresses;
    }

    /** Returns what became of the clients so far. Any thread. */
    public ClientCounts counts() {
        return new ClientCounts(
                new ClientCounts.Connections(sessions.served.get(), sessions.mostAtOnce.get(), sessions.refused.get()),
                new ClientCounts.Slow(
                        sessions.warned.get(),
                        sessions.disconnected.get(),
                        sessions.skippedQuotes.get(),
                        sessions.mostWaitingBytes.get()),
                new ClientCounts.Session(store.nextSequence() - 1, books.taken()));
    }

    /** Returns why no client is served any more although the feed goes on, or null. Any thread. */
    public @Nullable RuntimeException failure() {
        return publisher.failure();
    }

    @Override
    public void close() {
        tending.cancel(false);
        end(group);
    }

    /** Closes all channels with their threads. */
    private static void end(EventLoopGroup group) {
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_TIMEOUT_MS);
    }

    private InetSocketAddress bind(ClientSettings settings, Supplier<SoupSession> session) throws InterruptedException {
        Channel channel = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, settings.limits().maxClients())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_SNDBUF, settings.limits().sendBufferBytes())
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(LOW_WATER_BYTES, HIGH_WATER_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        client.pipeline().addLast(SoupPacket.framing(MAX_REQUEST_BYTES), session.get());
                    }
                })
                .bind(new InetSocketAddress(settings.address(), 0))
                .sync()
                .channel();
        return (InetSocketAddress) channel.localAddress();
    }

    private void wake() {
        if (isAwake.compareAndSet(false, true) && !group.isShuttingDown()) {
            try {
                group.execute(this::pumpWhenDue);
            } catch (RejectedExecutionException e) {
                // Closed in between: nobody is left to be told, and the feed goes on.
                LOGGER.debug("the clients' thread has ended", e);
            }
        }
    }

    /** Gathers what comes until it is time to send again. */
    private void pumpWhenDue() {
        long waitNs = pumpedNs + sendIntervalNs - System.nanoTime();
        if (waitNs > 0) {
            Future<?> unused = group.schedule(this::pump, waitNs, TimeUnit.NANOSECONDS);
        } else {
            pump();
        }
    }

    private void pump() {
        isAwake.set(false);
        pumpedNs = System.nanoTime();
        if (takeNews()) {
            sessions.open().forEach(SoupSession::pumpIfActive);
            if (mold != null) {
                mold.pump();
            }
        }
    }

    private void tend() {
        if (takeNews()) {
            long nowNs = System.nanoTime();
            sessions.open().forEach(session -> session.tend(nowNs));
            if (mold != null) {
                mold.tend(nowNs);
            }
        }
    }

    /** Brings the served books up to date; breaks all sessions off when clients cannot be told everything any more. */
    private boolean takeNews() {
        if (!isBroken) {
            try {
                if (!books.catchUp()) {
                    publisher.fail(new IllegalStateException("the clients' thread was slower than the feed"));
                }
            } catch (RuntimeException e) {
                publisher.fail(e);
            }
        }
        if (!isBroken && publisher.failure() != null) {
            isBroken = true;
            sessions.breakOff();
        }
        return !isBroken;
    }

    /**
     * Tells how clients are served.
     *
     * @param name of the service; names the thread
     * @param session on the wire, one to ten letters or digits
     * @param address of this machine, of the loopback device: clients give no proof of who they are
     * @param moldTarget where datagrams go; {@code null}: there are none
     */
    public record ClientSettings(
            String name,
            String session,
            InetAddress address,
            Limits limits,
            @Nullable InetSocketAddress moldTarget) {
        /**
         * Limits what a customer may take.
         *
         * @param storeBytes that the store of messages keeps
         * @param sendBufferBytes of the kernel for each client
         * @param sendIntervalNs messages are sent together so often at most, ns; 0: as they come
         */
        public record Limits(int storeBytes, int sendBufferBytes, int maxClients, long sendIntervalNs) {}

        /**
         * Checks what others cannot do without.
         *
         * @throws IllegalArgumentException when the session's name does not fit, the address is not one of the loopback device, or no client
         *     is allowed
         */
        public ClientSettings {
            if (!session.matches("[A-Za-z0-9]{1,10}")) {
                throw new IllegalArgumentException(
                        "the name of a session has one to ten letters or digits, and this one is '" + session + "'");
            }
            if (!address.isLoopbackAddress()) {
                throw new IllegalArgumentException("clients are served on the loopback device only, and "
                        + address.getHostAddress() + " is not of it");
            }
            if (limits.maxClients() < 1) {
                throw new IllegalArgumentException(
                        "at least one client has to be allowed, and not " + limits.maxClients());
            }
        }

        /** Serves clients of this machine, without datagrams. */
        public static ClientSettings onLoopback(String name) {
            return new ClientSettings(
                    name,
                    "NAKLAB",
                    InetAddress.getLoopbackAddress(),
                    new ClientSettings.Limits(16 << 20, 128 << 10, 2_000, 0),
                    null);
        }
    }

    /**
     * Tells where clients connect.
     *
     * @param orders every message, over SoupBinTCP
     * @param quotes best prices, over SoupBinTCP
     * @param snapshots GLIMPSE
     * @param requests re-requests of MoldUDP64; {@code null}: there are no datagrams
     */
    public record ClientAddresses(
            InetSocketAddress orders,
            InetSocketAddress quotes,
            InetSocketAddress snapshots,
            @Nullable InetSocketAddress requests) {}

    /**
     * Tells what became of the clients.
     */
    public record ClientCounts(Connections connections, Slow slow, Session session) {
        /**
         * Counts the connections.
         *
         * @param served that logged in
         * @param mostAtOnce connections at one time
         * @param refused because there were too many
         */
        public record Connections(long served, long mostAtOnce, long refused) {}

        /**
         * Tells what became of the customers that read too slowly.
         *
         * @param warned that they read too slowly
         * @param disconnected because they read too slowly
         * @param skippedQuotes best prices that were replaced before their client read them
         * @param mostWaitingBytes that waited at one time for one client, beside its socket's buffer
         */
        public record Slow(long warned, long disconnected, long skippedQuotes, long mostWaitingBytes) {}

        /**
         * Counts the messages.
         *
         * @param messages of the session
         * @param taken of these, those that the clients' thread has read
         */
        public record Session(long messages, long taken) {}
    }
}
