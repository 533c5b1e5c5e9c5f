package org.naklab.lab.scenarios;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.instruments.threads.DutyCycleInstrument;
import org.naklab.lab.process.DeploymentEnvironment;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.customers.CustomersConfig;
import org.naklab.lab.replica.exchange.ExchangeConfig;
import org.naklab.lab.replica.exchange.ExchangeProcess;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.replica.service.ServiceProcess;
import org.naklab.lab.replica.transport.TransportConfig;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.feed.FeedId;
import org.naklab.messaging.publication.RateLimit;

/**
 * The processes of a run: one exchange and its subscribers.
 *
 * @param customers who connect to them; {@code null}: there are none
 */
public record Deployment(
        ProcessSpec<ExchangeConfig> exchange,
        List<ProcessSpec<ServiceConfig>> subscribers,
        DeploymentEnvironment environment,
        @Nullable ProcessSpec<CustomersConfig> customers) {
    public static final String EXCHANGE = ProcessNames.EXCHANGE;
    public static final String SERVICE = ProcessNames.SERVICE;
    public static final String GATEWAY = ProcessNames.GATEWAY;

    private static final int RING_SLOTS = 1 << 16;
    /** LBT-RM's default data rate limit. */
    private static final long SNAPSHOT_BITS_PER_SECOND = 10_000_000;

    public Deployment {
        subscribers = List.copyOf(subscribers);
    }

    /** Creates a deployment on this machine. */
    public Deployment(ProcessSpec<ExchangeConfig> exchange, List<ProcessSpec<ServiceConfig>> subscribers) {
        this(exchange, subscribers, DeploymentEnvironment.NONE);
    }

    /** Creates a deployment without customers. */
    public Deployment(
            ProcessSpec<ExchangeConfig> exchange,
            List<ProcessSpec<ServiceConfig>> subscribers,
            DeploymentEnvironment environment) {
        this(exchange, subscribers, environment, null);
    }

    /** Returns this deployment with customers. */
    public Deployment with(ProcessSpec<CustomersConfig> newCustomers) {
        return new Deployment(exchange, subscribers, environment, newCustomers);
    }

    /** Exchange, market data service, and one gateway as control. */
    public static Deployment standard(RunPlan plan) {
        long feedId = FeedId.next();
        return new Deployment(
                exchangeOf(plan, feedId),
                List.of(
                        subscriberOf(plan, SERVICE, Role.SERVICE, feedId),
                        subscriberOf(plan, GATEWAY, Role.GATEWAY, feedId)));
    }

    /** Returns this deployment with one more gateway. */
    public Deployment withGateway(RunPlan plan, String name) {
        List<ProcessSpec<ServiceConfig>> more = new ArrayList<>(subscribers);
        more.add(subscriberOf(
                plan, name, Role.GATEWAY, exchange.config().transport().feedId()));
        return new Deployment(exchange, more, environment, customers);
    }

    /** Returns true if the processes are in containers that this machine cannot observe directly. */
    public boolean isContained() {
        return exchange.container() != null;
    }

    /** Returns this deployment with one subscriber changed. */
    public Deployment with(String name, UnaryOperator<ProcessSpec<ServiceConfig>> change) {
        List<ProcessSpec<ServiceConfig>> changed = new ArrayList<>(subscribers);
        changed.replaceAll(spec -> spec.name().equals(name) ? change.apply(spec) : spec);
        return new Deployment(exchange, changed, environment, customers);
    }

    /** Returns this deployment for a flow with a warm-up. */
    public Deployment withWarmUpNs(long warmUpNs) {
        return new Deployment(
                exchange,
                subscribers.stream()
                        .map(spec -> spec.withConfig(spec.config().withWarmUpNs(warmUpNs)))
                        .toList(),
                environment,
                customers);
    }

    /** Returns this deployment with the exchange changed. */
    public Deployment withExchange(UnaryOperator<ProcessSpec<ExchangeConfig>> change) {
        return new Deployment(change.apply(exchange), subscribers, environment, customers);
    }

    /** Returns this deployment with more JVM arguments for each process. */
    public Deployment withJvmArguments(String... more) {
        return new Deployment(
                exchange.withJvmArguments(more),
                subscribers.stream().map(spec -> spec.withJvmArguments(more)).toList(),
                environment,
                customers);
    }

    /** Returns all processes, subscribers first: they listen before the exchange sends. */
    public List<ProcessSpec<?>> all() {
        List<ProcessSpec<?>> all = new ArrayList<>(subscribers);
        if (customers != null) {
            all.add(customers);
        }
        all.add(exchange);
        return all;
    }

    private static ProcessSpec<ExchangeConfig> exchangeOf(RunPlan plan, long feedId) {
        Workload workload = plan.workload();
        ExchangeConfig config = new ExchangeConfig(
                transportOf(plan, EXCHANGE, feedId),
                workload.source() == null
                        ? null
                        : workload.source().toAbsolutePath().toString(),
                workload.instruments(),
                workload.arrival(),
                workload.eventsPerSecond(),
                workload.speed(),
                workload.gentleStartNs(),
                workload.morning(),
                workload.durationNs(),
                null,
                null);
        return new ProcessSpec<>(
                EXCHANGE, Role.EXCHANGE, ExchangeProcess.class, heap("256m", "160m"), Map.of(), config);
    }

    private static ProcessSpec<ServiceConfig> subscriberOf(RunPlan plan, String name, Role role, long feedId) {
        ServiceConfig config = new ServiceConfig(
                transportOf(plan, name, feedId),
                role,
                journalOf(plan, role),
                plan.directory().resolve(name + "-loss-report.dat").toString(),
                RING_SLOTS,
                plan.traffic().rateLimiting(),
                SNAPSHOT_BITS_PER_SECOND,
                RateLimit.INCIDENT_INTERVAL_NS);
        return new ProcessSpec<>(
                name,
                role,
                ServiceProcess.class,
                heap("384m", "240m"),
                Map.of(),
                config.with(config.tuning().withJournalPages(plan.traffic().journalPages())));
    }

    private static @Nullable String journalOf(RunPlan plan, Role role) {
        return role == Role.SERVICE ? plan.journalDirectory().toString() : null;
    }

    /** The longest datagram that the exchange sends of the order flow, headers below UDP left out. */
    public int longestFeedDatagramBytes() {
        int asked = exchange.config().transport().feedMtuBytes();
        return asked == 0 ? TransportProfile.MTU_BYTES : asked;
    }

    private static TransportConfig transportOf(RunPlan plan, String name, long feedId) {
        BufferSizing stall = plan.traffic().stall();
        return new TransportConfig(
                name,
                plan.channels(),
                plan.transport().profile(),
                plan.placement().aeronPrefix() + name,
                stall == null ? 0 : stall.askedBytes(),
                stall == null ? 0 : stall.kernel().datagramBytes(),
                plan.seed(),
                feedId,
                DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS,
                plan.transport().idle());
    }

    /**
     * Fixed and touched at the start: a heap that grows while traffic flows is a pause of the lab's own making; most of it young,
     * so that a run ends before that is full and has to be collected. And compiled
     * quickly rather than best: three processes that warm up on two cores would compete with their own compilers, fall
     * behind the feed and lose datagrams before the run has begun.
     */
    static List<String> heap(String size, String young) {
        return List.of("-Xms" + size, "-Xmx" + size, "-Xmn" + young, "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");
    }
}
