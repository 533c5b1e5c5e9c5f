package org.naklab.lab.watch.command;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.watch.Watch;
import org.naklab.lab.records.Stall;
import org.naklab.lab.terminal.MetricsAddress;
import org.naklab.lab.watch.metrics.MetricFamilies;
import org.naklab.lab.watch.metrics.MetricsServer;
import org.naklab.lab.watch.metrics.WatchMetrics;
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

    @Option(
            names = "--metrics-name",
            paramLabel = "NAME",
            description = "Name by which --metrics may be called, beside those of this machine and addresses; may be "
                    + "repeated.")
    private List<String> names = List.of();

    /**
     * Starts to serve, if the option was given.
     *
     * @param errors is told what kept a request from its answer
     */
    Session start(Consumer<Throwable> errors) {
        MetricsAddress given = address;
        if (given == null) {
            return new Session(null, null);
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        MetricFamilies families = new MetricFamilies(registry);
        return new Session(families, MetricsServer.start(given, names, registry, errors));
    }

    /** Returns the name as the kernel has it; of a process that has just ended, a question mark. */
    private static String name(long pid) {
        try {
            return Files.readString(ProcPaths.of(pid, "comm")).strip();
        } catch (IOException e) {
            return "?";
        }
    }

    /** The metrics of one watch; does nothing without the option. Processes have series by their names; one that is started again continues those of its name. */
    static final class Session implements AutoCloseable {
        private final @Nullable MetricFamilies families;
        private final @Nullable MetricsServer server;
        private final Map<Long, WatchMetrics> processes = new ConcurrentHashMap<>();
        private boolean isTold;

        private Session(@Nullable MetricFamilies families, @Nullable MetricsServer server) {
            this.families = families;
            this.server = server;
        }

        /** Returns a listener that counts events for the metrics before it passes them on. */
        TimelineListener before(long pid, TimelineListener next) {
            if (families == null) {
                return next;
            }
            WatchMetrics counting = families.process(name(pid));
            counting.leaveStallsToDiagnosis();
            processes.put(pid, counting);
            return counting.before(next);
        }

        /**
         * Serves the figures of a watch from now on.
         *
         * @return the first time where they are served, as a line for people
         */
        Optional<String> observe(Watch watch, long pid) {
            WatchMetrics metrics = processes.get(pid);
            if (metrics == null || server == null) {
                return Optional.empty();
            }
            metrics.observe(watch, pid);
            boolean isNew = !isTold;
            isTold = true;
            return isNew ? Optional.of("metrics at " + server.url()) : Optional.empty();
        }

        /** Lets the next process of that name continue the series of one that is not watched any more. */
        void end(long pid) {
            WatchMetrics metrics = processes.remove(pid);
            if (metrics != null) {
                metrics.end();
            }
        }

        /** Returns whether the option was given. */
        boolean isServed() {
            return families != null;
        }

        /** Counts a stall of a process with its diagnosed cause. */
        void onStall(long pid, Stall stall) {
            WatchMetrics metrics = processes.get(pid);
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
