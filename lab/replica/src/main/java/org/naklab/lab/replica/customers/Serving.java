package org.naklab.lab.replica.customers;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.process.ServedAt;
import org.naklab.subscriber.AppliedEventListener;
import org.naklab.subscriber.clients.ClientServer;
import org.naklab.subscriber.clients.DayClock;

/** The server of the customers of one process. */
public final class Serving implements AutoCloseable {
    private final ClientServer server;
    private final DayClock clock;

    private Serving(ClientServer server, DayClock clock) {
        this.server = server;
        this.clock = clock;
    }

    /** Begins to serve; null if nobody is to be served. */
    public static @Nullable Serving launch(String process, @Nullable ServingConfig config) {
        if (config == null) {
            return null;
        }
        DayClock clock = DayClock.now();
        return new Serving(config.launch(process, clock), clock);
    }

    /** Returns what is to be told of the events that customers get. */
    public AppliedEventListener listener() {
        return server.listener();
    }

    /** Returns where customers connect. */
    public ServedAt servedAt() {
        ClientServer.ClientAddresses addresses = server.addresses();
        InetSocketAddress requests = addresses.requests();
        return new ServedAt(
                addresses.orders().getPort(),
                addresses.quotes().getPort(),
                addresses.snapshots().getPort(),
                requests == null ? 0 : requests.getPort(),
                clock.offsetNs());
    }

    /** Returns the figures so far. */
    public ServingReport report() {
        ClientServer.ClientCounts counts = server.counts();
        RuntimeException failure = server.failure();
        return new ServingReport(
                new ServingReport.Connections(
                        counts.connections().served(),
                        counts.connections().mostAtOnce(),
                        counts.connections().refused()),
                new ServingReport.Slow(
                        counts.slow().warned(),
                        counts.slow().disconnected(),
                        counts.slow().skippedQuotes(),
                        counts.slow().mostWaitingBytes()),
                counts.session().messages(),
                failure == null ? null : String.valueOf(failure.getMessage()));
    }

    @Override
    public void close() {
        server.close();
    }
}
