package org.naklab.lab.replica.customers;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.seam.ClientReads;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.process.ServedAt;
import org.naklab.lab.records.latency.CustomersRecord;
import org.naklab.subscriber.clients.DayClock;
import org.naklab.subscriber.clients.ItchClient;
import org.naklab.subscriber.clients.MoldClient;

/**
 * The customers of one server. The first reads order by order from the first message on; the second joins a second later with a snapshot; the third
 * receives datagrams. Of the others, one in {@value #ORDERS_OF} reads order by order, and the rest best prices.
 */
final class ServerClients implements ClientReads.Clients {
    static final int ORDERS_OF = 20;

    private static final long LATE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_SHOWN = 6;

    private final CustomersConfig.Server server;
    private final long warmUpNs;
    private final EventLoop loop;
    /** Beside the first three. */
    private final List<OrderCustomer> orders = new ArrayList<>();

    private final List<QuoteCustomer> quotes = new ArrayList<>();
    private volatile @Nullable Connected connected;
    private volatile boolean isClosed;
    private final Set<Customer> slow = new HashSet<>();

    /** The customers after they were told where the server is. */
    private record Connected(
            ServedAt at,
            ClientLatency latency,
            ReferenceCustomer reference,
            @Nullable OrderCustomer late,
            @Nullable OrderCustomer datagrams) {}

    ServerClients(CustomersConfig.Server server, long warmUpNs, EventLoop loop) {
        this.server = server;
        this.warmUpNs = warmUpNs;
        this.loop = loop;
    }

    String name() {
        return server.name();
    }

    /** Connects all customers but the one that joins late. Not of the loop's thread. */
    synchronized void connect(ServedAt at) {
        if (connected != null || server.clients() < 1) {
            return;
        }
        ClientLatency latency = new ClientLatency(DayClock.ofOffset(at.dayOffsetNs()), warmUpNs);
        ReferenceCustomer reference = new ReferenceCustomer(latency);
        reference.reads(ItchClient.connect(loop, local(at.orders()), 1, reference));
        OrderCustomer late = server.clients() < 2 ? null : new OrderCustomer(latency);
        OrderCustomer datagrams = null;
        int others = server.clients() - 2;
        if (server.clients() > 2 && server.datagramPort() > 0) {
            others--;
            datagrams = new OrderCustomer(latency);
            datagrams.receives(MoldClient.open(loop, local(server.datagramPort()), local(at.requests()), 1, datagrams));
        }
        for (int i = 0; i < others; i++) {
            if (i % ORDERS_OF == 0) {
                OrderCustomer customer = new OrderCustomer(latency);
                customer.reads(ItchClient.connect(loop, local(at.orders()), 1, customer));
                orders.add(customer);
            } else {
                QuoteCustomer customer = new QuoteCustomer(latency);
                customer.reads(ItchClient.connect(loop, local(at.quotes()), 0, customer));
                quotes.add(customer);
            }
        }
        connected = new Connected(at, latency, reference, late, datagrams);
        if (late != null) {
            joinLate(at, reference, late);
        }
    }

    /** Waits until the feed has run for a second. */
    private void joinLate(ServedAt at, ReferenceCustomer reference, OrderCustomer late) {
        Future<?> unused = loop.schedule(
                () -> {
                    if (reference.messages() == 0 && reference.end() == null) {
                        joinLate(at, reference, late);
                    } else {
                        join(at, late);
                    }
                },
                LATE_NS,
                TimeUnit.NANOSECONDS);
    }

    private void join(ServedAt at, OrderCustomer customer) {
        customer.beginWithSnapshot();
        customer.reads(ItchClient.join(loop, local(at.snapshots()), local(at.orders()), customer));
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    public synchronized ClientReads.SlowReaders slowDown(int count, int bytesPerSecond) {
        // One customer of best prices reads freely, as does the first that reads order by order: the others are
        // compared with them.
        List<Customer> able = new ArrayList<>();
        for (int i = 0; i < Math.max(orders.size(), quotes.size() - 1); i++) {
            if (i < orders.size()) {
                able.add(orders.get(i));
            }
            if (i < quotes.size() - 1) {
                able.add(quotes.get(i));
            }
        }
        List<Customer> chosen = able.stream().filter(slow::add).limit(count).toList();
        chosen.forEach(one -> {
            ItchClient client = one.client();
            if (client != null) {
                client.readAtMost(bytesPerSecond);
            }
        });
        return new SlowCustomers(chosen);
    }

    /** The customers that one fault slowed down. */
    private final class SlowCustomers implements ClientReads.SlowReaders {
        private final List<Customer> slowed;

        SlowCustomers(List<Customer> slowed) {
            this.slowed = slowed;
        }

        @Override
        public int clients() {
            return slowed.size();
        }

        /** Those that the server has disconnected begin again with a snapshot. */
        @Override
        public void release() {
            for (Customer one : slowed) {
                ItchClient client = one.client();
                if (client != null) {
                    if (one instanceof OrderCustomer customer) {
                        customer.mayRejoin(true);
                        rejoinWhenDisconnected(customer, client);
                    }
                    client.readFreely();
                }
            }
            synchronized (ServerClients.this) {
                slowed.forEach(slow::remove);
            }
        }

        @Override
        public ClientReads.Behind behind() {
            Connected now = connected;
            if (now == null || slowed.isEmpty()) {
                return new ClientReads.Behind(0, 0, 0);
            }
            int behind = 0;
            int disconnected = 0;
            long most = 0;
            for (Customer one : slowed) {
                Customer free = one instanceof OrderCustomer ? now.reference() : quotes.get(quotes.size() - 1);
                long lag = free.messages() - one.messages();
                boolean isGone = one.end() == ItchClient.End.DISCONNECTED;
                disconnected += isGone ? 1 : 0;
                behind += isGone || lag > 0 ? 1 : 0;
                most = Math.max(most, lag);
            }
            return new ClientReads.Behind(behind, disconnected, most);
        }
    }

    private void rejoinWhenDisconnected(OrderCustomer customer, ItchClient client) {
        // A connection that the server has reset ends with a failure.
        CompletableFuture<ItchClient.End> ended = client.ended().exceptionally(failure -> ItchClient.End.DISCONNECTED);
        CompletableFuture<?> unused = ended.thenAccept(end -> {
            Connected now = connected;
            if (end == ItchClient.End.DISCONNECTED && now != null && !isClosed) {
                customer.rejoin();
                join(now.at(), customer);
            } else {
                customer.mayRejoin(false);
            }
        });
    }

    /** Returns whether nothing more will come. Any thread. */
    boolean isOver() {
        return all().allMatch(customer -> customer.end() != null);
    }

    /** Returns how many messages were read. Any thread. */
    long messages() {
        return all().mapToLong(Customer::messages).sum();
    }

    /** Returns how many messages the first customer has read. Any thread. */
    long referenceMessages() {
        Connected now = connected;
        return now == null ? 0 : now.reference().messages();
    }

    private synchronized List<Customer> list() {
        Connected now = connected;
        if (now == null) {
            return List.of();
        }
        return Stream.of(Stream.of(now.reference(), now.late(), now.datagrams()), orders.stream(), quotes.stream())
                .flatMap(each -> each)
                .flatMap(each -> Stream.<Customer>ofNullable(each))
                .toList();
    }

    private Stream<Customer> all() {
        return list().stream();
    }

    /** Returns the books of the first customer. Of the loop's thread. */
    List<BookView> views(long nowNs) {
        Connected now = connected;
        return now == null ? List.of() : now.reference().views(server.name(), MOST_SHOWN, nowNs);
    }

    /**
     * Returns what the customers saw. Of the loop's thread.
     *
     * @param isOver whether they read nothing more
     */
    CustomersReport.@Nullable Served report(boolean isOver) {
        Connected now = connected;
        if (now == null) {
            return null;
        }
        Map<Long, Integer> books = new HashMap<>();
        int ended = 0;
        int rejoined = 0;
        long asked = 0;
        for (Customer customer : list()) {
            boolean hasAll = customer.end() == ItchClient.End.SESSION_ENDED;
            ended += hasAll ? 1 : 0;
            if (customer instanceof OrderCustomer reader) {
                rejoined += reader.rejoined();
                asked += reader.datagrams() == null ? 0 : reader.datagrams().asked();
                if (hasAll && isOver) {
                    books.merge(reader.digest(), 1, Integer::sum);
                }
            }
        }
        return new CustomersReport.Served(
                server.name(),
                new CustomersRecord.Kinds(
                        1 + orders.size(), now.late() == null ? 0 : 1, now.datagrams() == null ? 0 : 1, quotes.size()),
                new CustomersReport.Served.Progress(ended, rejoined, asked, messages(), books),
                new CustomersRecord.Lateness(
                        now.latency().orders(),
                        now.latency().quotes(),
                        isOver ? now.reference().staleQuotes() : null));
    }

    /** Closes all connections. */
    void close() {
        isClosed = true;
        all().forEach(customer -> {
            ItchClient client = customer.client();
            if (client != null) {
                client.close();
            }
            MoldClient receiver = customer instanceof OrderCustomer reader ? reader.datagrams() : null;
            if (receiver != null) {
                receiver.close();
            }
        });
    }
}
