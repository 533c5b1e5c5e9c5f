package org.naklab.lab.cli.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import org.naklab.lab.core.UnavailableException;

/** Serves the metrics of a registry by HTTP, in the text formats of Prometheus and OpenMetrics. */
public final class MetricsServer implements AutoCloseable {
    private final HTTPServer server;
    private final String url;

    private MetricsServer(HTTPServer server, String url) {
        this.server = server;
        this.url = url;
    }

    /**
     * Starts to serve.
     *
     * @throws org.naklab.lab.core.UsageException the host is unknown
     * @throws UnavailableException the address is not one of this machine, or another program uses the port
     */
    public static MetricsServer start(MetricsAddress address, PrometheusRegistry registry) {
        try {
            HTTPServer server = HTTPServer.builder()
                    .inetAddress(address.resolve())
                    .port(address.port())
                    .registry(registry)
                    .buildAndStart();
            return new MetricsServer(server, "http://" + address.onPort(server.getPort()) + "/metrics");
        } catch (IOException e) {
            throw new UnavailableException(
                    "--metrics: cannot listen on " + address.onPort(address.port()) + ": " + e.getMessage(), e);
        }
    }

    /** Returns the URL to scrape. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        server.close();
    }
}
