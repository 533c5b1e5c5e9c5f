package org.naklab.lab.cli.watch;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.metrics.MetricsAddress;
import org.naklab.lab.cli.metrics.MetricsServer;
import org.naklab.lab.cli.metrics.WatchMetrics;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.watch.Watch;
import picocli.CommandLine.Option;

/** The option {@code --metrics} of a watch, and what it starts. */
final class MetricsOption {
    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            converter = MetricsAddress.Converter.class,
            description = "Serve metrics for Prometheus at http://HOST:PORT/metrics while the watch runs; port 0: any "
                    + "free port, which is printed.")
    private @Nullable MetricsAddress address;

    /**
     * Starts to serve, if the option was given.
     *
     * @param pid process whose name is the label of its metrics
     */
    Session start(long pid) {
        MetricsAddress given = address;
        if (given == null) {
            return new Session(null, null, pid);
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        WatchMetrics metrics = WatchMetrics.register(name(pid), registry);
        return new Session(metrics, MetricsServer.start(given, registry), pid);
    }

    /** Returns the name as the kernel has it; of a process that has just ended, a question mark. */
    private static String name(long pid) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "comm"))
                    .strip();
        } catch (IOException e) {
            return "?";
        }
    }

    /** The metrics of one watch; does nothing without the option. */
    static final class Session implements AutoCloseable {
        private final @Nullable WatchMetrics metrics;
        private final @Nullable MetricsServer server;
        private final long pid;

        private Session(@Nullable WatchMetrics metrics, @Nullable MetricsServer server, long pid) {
            this.metrics = metrics;
            this.server = server;
            this.pid = pid;
        }

        /** Returns a listener that counts events for the metrics before it passes them on. */
        TimelineListener before(TimelineListener next) {
            return metrics == null ? next : metrics.before(next);
        }

        /** Serves the figures of a watch from now on. */
        void observe(Watch watch, WatchConsole console) {
            if (metrics != null && server != null) {
                metrics.observe(watch, pid);
                console.print("metrics at " + server.url());
            }
        }

        @Override
        public void close() {
            if (server != null) {
                server.close();
            }
        }
    }
}
