package org.naklab.lab.replica.customers;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSite;
import org.naklab.faults.seam.ClientReads;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.books.BookView;
import org.naklab.lab.process.ControlChannel;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.process.ProcessFaults;
import org.naklab.lab.process.ServedAt;
import org.naklab.lab.replica.child.ReplicaMain;
import org.naklab.lab.replica.child.ReplicaRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main class of the process with the customers: all of them on one thread. */
public final class CustomersProcess implements ReplicaRole {
    private static final long VIEW_MS = 100;
    private static final long CLOSE_TIMEOUT_MS = 2_000;
    private static final long END_TIMEOUT_MS = 3_000;
    private static final long END_POLL_NS = 1_000_000;
    private static final Logger LOGGER = LoggerFactory.getLogger(CustomersProcess.class);

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("customers", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final List<ServerClients> servers;
    private final ProcessFaults faults;
    private final AtomicReference<@Nullable List<BookView>> views = new AtomicReference<>();
    private final Future<?> viewing;
    private volatile boolean isConnected;
    private @Nullable List<CustomersReport.Served> last;

    private CustomersProcess(CustomersConfig config) {
        servers = config.servers().stream()
                .map(server -> new ServerClients(server, config.warmUpNs(), loop))
                .toList();
        FaultSite site = new FaultSite(config.name());
        servers.forEach(clients -> site.offer(clients.name(), new ClientReads(clients)));
        FaultPlan plan = config.faultPlan();
        faults = ProcessFaults.launch(site, plan == null ? new FaultPlan(0, List.of()) : plan);
        viewing = loop.scheduleWithFixedDelay(this::view, VIEW_MS, VIEW_MS, TimeUnit.MILLISECONDS);
    }

    public static void main(String[] arguments) {
        ReplicaMain.run(
                arguments,
                CustomersConfig.class,
                CustomersConfig::name,
                (config, watch) -> new CustomersProcess(config));
    }

    private void view() {
        long nowNs = System.nanoTime();
        views.set(servers.stream()
                .flatMap(clients -> clients.views(nowNs).stream())
                .toList());
    }

    @Override
    public void connect(String addresses) {
        JsonNode all = Json.fromLine(addresses, JsonNode.class);
        servers.forEach(clients -> {
            JsonNode at = all.get(clients.name());
            if (at != null) {
                clients.connect(Json.value(at, ServedAt.class));
            }
        });
        isConnected = true;
    }

    @Override
    public void report(ControlChannel link) {
        faults.poll(progress() > 0);
        List<BookView> seen = views.getAndSet(null);
        if (seen != null && !seen.isEmpty()) {
            link.report(new ProcessEvent.BooksSeen(seen.get(0).atNs(), seen));
        }
    }

    @Override
    public ProcessEvent.Ready ready() {
        return ProcessEvent.Ready.now();
    }

    /** Does nothing: customers wait for the feed. */
    @Override
    public void start() {}

    /** Does nothing: the end of the sessions ends the customers. */
    @Override
    public void stop() {}

    @Override
    public ProcessEvent completion() {
        return ProcessEvent.Complete.now();
    }

    @Override
    public boolean isComplete() {
        return isConnected && servers.stream().allMatch(ServerClients::isOver);
    }

    @Override
    public boolean mayEnd() {
        return !isConnected || isComplete();
    }

    @Override
    public String obeyFaultCommand(String line) {
        return faults.execute(line);
    }

    @Override
    public long progress() {
        return servers.stream().mapToLong(ServerClients::messages).sum();
    }

    @Override
    public Object report() {
        List<CustomersReport.Served> known = last;
        return new CustomersReport(known == null ? served(false) : known, faults.reports());
    }

    private List<CustomersReport.Served> served(boolean isOver) {
        return loop.submit(() -> servers.stream()
                        .flatMap(clients -> Stream.ofNullable(clients.report(isOver)))
                        .toList())
                .syncUninterruptibly()
                .getNow();
    }

    /** Lets customers read what is left that a fault has slowed down until now. */
    private void awaitEnd() {
        long beganNs = System.nanoTime();
        // A customer that was disconnected may begin again: one look at each is not enough.
        while (isConnected && !isComplete()) {
            if (System.nanoTime() - beganNs > TimeUnit.MILLISECONDS.toNanos(END_TIMEOUT_MS)) {
                LOGGER.warn("not all customers have got everything");
                return;
            }
            LockSupport.parkNanos(END_POLL_NS);
        }
    }

    @Override
    public void close() {
        faults.close();
        awaitEnd();
        viewing.cancel(false);
        last = served(true);
        servers.forEach(ServerClients::close);
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_TIMEOUT_MS);
    }
}
