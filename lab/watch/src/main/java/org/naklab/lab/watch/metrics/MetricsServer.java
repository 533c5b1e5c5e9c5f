package org.naklab.lab.watch.metrics;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.report.web.HostNames;
import org.naklab.lab.report.web.OnePage;
import org.naklab.lab.report.web.WebLimits;
import org.naklab.lab.report.web.WebServer;
import org.naklab.lab.terminal.MetricsAddress;

/** Serves the metrics of a registry by HTTP, in the text format of Prometheus, with the protections of the dashboard. */
public final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final WebLimits LIMITS = new WebLimits(30_000, 64, 0);

    private final WebServer server;
    private final String url;

    private MetricsServer(WebServer server, String url) {
        this.server = server;
        this.url = url;
    }

    /**
     * Starts to serve.
     *
     * @param names by which it may be called, beside those of this machine and its address
     * @param errors is told what kept a request from its answer
     * @throws org.naklab.lab.core.UsageException the host is unknown
     * @throws UnavailableException the address is not one of this machine, or another program uses the port
     */
    public static MetricsServer start(
            MetricsAddress address, List<String> names, PrometheusRegistry registry, Consumer<Throwable> errors) {
        PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
        OnePage page = new OnePage(PATH, writer.getContentType(), () -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            writer.write(text, registry.scrape());
            return text.toByteArray();
        });
        List<String> all = new ArrayList<>(names);
        all.addAll(HostNames.ofMachine());
        try {
            WebServer server = WebServer.launch(
                    address.resolve().getHostAddress(),
                    address.port(),
                    new HostNames(address.host(), all),
                    LIMITS,
                    page,
                    errors);
            return new MetricsServer(server, "http://" + address.onPort(server.port()) + PATH);
        } catch (LabException e) {
            throw e instanceof UsageException
                    ? e
                    : new UnavailableException(
                            "--metrics: cannot listen on " + address.onPort(address.port()) + ": "
                                    + Objects.requireNonNullElse(e.getCause(), e)
                                            .getMessage(),
                            e);
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
