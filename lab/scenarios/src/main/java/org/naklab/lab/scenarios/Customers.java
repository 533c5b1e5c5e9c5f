package org.naklab.lab.scenarios;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.customers.CustomersConfig;
import org.naklab.lab.replica.customers.CustomersProcess;
import org.naklab.lab.replica.customers.CustomersReport;
import org.naklab.lab.replica.customers.ServingConfig;
import org.naklab.lab.replica.customers.ServingReport;
import org.naklab.lab.replica.service.ServiceReport;

/**
 * The customers of a run.
 *
 * @param ofService customers of the market data service
 * @param ofGateway customers of each gateway
 * @param storeBytes that each of them keeps for customers who read slowly
 * @param sendBufferBytes of the kernel for each connection
 */
public record Customers(int ofService, int ofGateway, int storeBytes, int sendBufferBytes) {
    /** The claims of every run with customers. */
    enum Claims implements Claim {
        /** Those that the machine keeps from reading show nothing. */
        GOT_ALL("customers of %s have got all messages"),
        SAME_BOOKS("customers of %s have its order books");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** Nobody is served. */
    public static final Customers NONE = new Customers(0, 0, 0, 0);

    /** The process of the customers. */
    public static final String PROCESS = "customers";

    /** The option of {@code naklab run} with the number of customers. */
    public static final String OPTION = "--clients";

    /** Customers of each server that a thread can serve beside the replica on one machine. */
    public static final int MOST = 2_000;

    private static final int STORE_BYTES = 16 << 20;
    private static final int SEND_BUFFER_BYTES = 128 << 10;
    /** A thread that sends what has come to each customer in turn is not to do so all the time. */
    private static final long SEND_NS_PER_CUSTOMER = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long LEAST_SEND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The books of the exchange are looked at ten times a second. */
    private static final long EXCHANGE_SEND_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Connections that customers make anew before the server has noticed the end of the old ones. */
    private static final int SPARE_CONNECTIONS = 100;

    /** Returns so many customers of the service and of each gateway. */
    public static Customers of(int each) {
        return each == 0 ? NONE : new Customers(each, each, STORE_BYTES, SEND_BUFFER_BYTES);
    }

    /** Returns whether nobody is served. */
    public boolean isNone() {
        return ofService == 0 && ofGateway == 0;
    }

    /**
     * Returns a deployment with these customers.
     *
     * @param faults of the process of the customers
     * @param warmUpNs of the flow
     * @throws UsageException if its processes are in containers, which serve nobody
     */
    public Deployment into(Deployment deployment, FaultPlan faults, long warmUpNs) {
        if (isNone()) {
            return deployment;
        }
        if (deployment.isContained()) {
            throw new UsageException(
                    OPTION + " needs processes on this machine, and those of this run are in containers");
        }
        Deployment served = deployment;
        List<CustomersConfig.Server> servers = new ArrayList<>();
        for (ProcessSpec<?> subscriber : deployment.subscribers()) {
            int clients = of(subscriber.role());
            if (clients > 0) {
                int datagramPort = freePort();
                servers.add(new CustomersConfig.Server(subscriber.name(), clients, datagramPort));
                served = served.with(
                        subscriber.name(),
                        spec -> spec.withConfig(spec.config().serving(serving(clients, datagramPort))));
            }
        }
        servers.add(new CustomersConfig.Server(Deployment.EXCHANGE, 1, 0));
        CustomersConfig config = new CustomersConfig(PROCESS, servers, warmUpNs, faults);
        return served.withExchange(spec -> spec.withConfig(spec.config()
                        .serving(new ServingConfig(
                                1 + SPARE_CONNECTIONS, STORE_BYTES, SEND_BUFFER_BYTES, EXCHANGE_SEND_NS, 0))))
                .with(new ProcessSpec<>(
                        PROCESS,
                        Role.CUSTOMERS,
                        CustomersProcess.class,
                        Deployment.heap("256m", "160m"),
                        Map.of(),
                        config));
    }

    /**
     * Checks what the customers of each subscriber got.
     *
     * @param victims subscribers that the scenario ends
     */
    static List<Expectation> check(RunOutcome outcome, Set<String> victims) {
        Customers customers = outcome.plan().customers();
        List<Expectation> conditions = new ArrayList<>();
        outcome.deployed().forEach((name, role) -> {
            if (customers.of(role) > 0 && !victims.contains(name)) {
                conditions.addAll(check(name, outcome.subscriber(name), outcome.customersOf(name)));
            }
        });
        return conditions;
    }

    private static List<Expectation> check(
            String name, @Nullable ServiceReport server, CustomersReport.@Nullable Served served) {
        if (server == null || served == null) {
            return Stream.of(Claims.values())
                    .map(claim -> Expectation.unknown(claim, name, NoLossChecks.NO_FINAL_REPORT))
                    .toList();
        }
        int same = served.progress().books().getOrDefault(server.end().booksDigest(), 0);
        return List.of(
                Expectation.proven(
                        Claims.GOT_ALL,
                        name,
                        served.progress().ended() == served.customers(),
                        Format.count(served.progress().ended()) + " of " + Format.count(served.customers())
                                + failure(server)),
                Expectation.of(
                        Claims.SAME_BOOKS,
                        name,
                        same == served.withBooks(),
                        Format.count(same) + " of " + Format.count(served.withBooks())));
    }

    /** Returns how many customers a process has. */
    private int of(Role role) {
        return role == Role.SERVICE ? ofService : role == Role.GATEWAY ? ofGateway : 0;
    }

    private static String failure(ServiceReport server) {
        ServingReport serving = server.serving();
        String failure = serving == null ? null : serving.failure();
        return failure == null ? "" : ": " + failure;
    }

    private ServingConfig serving(int clients, int datagramPort) {
        return new ServingConfig(
                clients + SPARE_CONNECTIONS,
                storeBytes,
                sendBufferBytes,
                Math.max(LEAST_SEND_NS, clients * SEND_NS_PER_CUSTOMER),
                datagramPort);
    }

    /** The server sends to this port before its customers are up, so that both have to know it. */
    private static int freePort() {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no UDP port is free for the datagrams of customers", e);
        }
    }
}
