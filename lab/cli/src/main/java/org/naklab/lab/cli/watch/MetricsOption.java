package org.naklab.lab.cli.watch;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.metrics.MetricsAddress;
import org.naklab.lab.cli.metrics.MetricsServer;
import org.naklab.lab.cli.metrics.WatchMetrics;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.runs.record.Stall;
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

    /** Starts to serve, if the option was given. */
    Session start() {
        MetricsAddress given = address;
        if (given == null) {
            return new Session(null, null);
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        return new Session(registry, MetricsServer.start(given, registry));
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

    /**
     * The metrics of one watch; does nothing without the option. They have the name of the process that was attached first. Of several processes, as
     * those before and after a restart, the gauges are those of the process that was attached last, and the counters count the events of all.
     */
    static final class Session implements AutoCloseable {
        private final @Nullable PrometheusRegistry registry;
        private final @Nullable MetricsServer server;
        private @Nullable WatchMetrics metrics;
        private boolean isTold;

        private Session(@Nullable PrometheusRegistry registry, @Nullable MetricsServer server) {
            this.registry = registry;
            this.server = server;
        }

        /** Returns a listener that counts events for the metrics before it passes them on. */
        TimelineListener before(long pid, TimelineListener next) {
            if (registry == null) {
                return next;
            }
            WatchMetrics counting = metrics == null ? WatchMetrics.register(name(pid), registry) : metrics;
            counting.leaveStallsToDiagnosis();
            metrics = counting;
            return counting.before(next);
        }

        /**
         * Serves the figures of a watch from now on.
         *
         * @return the first time where they are served, as a line for people
         */
        Optional<String> observe(Watch watch, long pid) {
            if (metrics == null || server == null) {
                return Optional.empty();
            }
            metrics.observe(watch, pid);
            boolean isNew = !isTold;
            isTold = true;
            return isNew ? Optional.of("metrics at " + server.url()) : Optional.empty();
        }

        /** Returns whether the option was given. */
        boolean isServed() {
            return registry != null;
        }

        /** Counts a stall with its diagnosed cause. */
        void onStall(Stall stall) {
            if (metrics != null) {
                metrics.onStall(stall.cause(), stall.durationNs());
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
