package org.naklab.lab.cli.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that change a scenario's order flow. */
final class TrafficOptions {
    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second, or max for as fast as possible.")
    private @Nullable Long rate;

    @Option(
            names = "--duration",
            paramLabel = "T",
            converter = Converters.Duration.class,
            description =
                    "Duration of the flow, such as 500ms or 10m; without a unit in seconds (with --source: at most).")
    private @Nullable Long durationNs;

    @Option(
            names = "--source",
            paramLabel = "FILE",
            description = "LOBSTER messages or NASDAQ ITCH 5.0, plain or gzip, instead of synthetic flow.")
    private @Nullable Path source;

    @Option(
            names = "--speed",
            paramLabel = "F",
            converter = Converters.PositiveDecimal.class,
            description = "Replay the source by its recorded times, accelerated by this factor.")
    private @Nullable Double speed;

    @Option(
            names = "--instruments",
            paramLabel = "N",
            converter = Converters.Count.class,
            description = "Number of instruments in the synthetic flow.")
    private @Nullable Integer instruments;

    @Option(
            names = "--arrival",
            paramLabel = "A",
            defaultValue = "CONSTANT",
            description = "Arrival pattern of the synthetic flow: constant or bursty (default: constant).")
    private ArrivalPattern arrival;

    @Nullable
    Path source() {
        return source;
    }

    boolean isRateGiven() {
        return rate != null;
    }

    /**
     * Checks what no option can check alone.
     *
     * @throws ParameterException if options contradict each other
     */
    void check(CommandSpec spec) {
        if (speed != null && source == null) {
            throw new ParameterException(
                    spec.commandLine(), "--speed needs --source: synthetic flow has no recorded times");
        }
        if (speed != null && rate != null) {
            throw new ParameterException(spec.commandLine(), "--speed and --rate are mutually exclusive");
        }
        if (instruments != null && source != null) {
            throw new ParameterException(
                    spec.commandLine(), "--instruments is for synthetic flow; --source has its own instruments");
        }
    }

    /** Returns a scenario's usual order flow with the changes that were asked for. */
    Workload change(Workload usual) {
        long allOfIt = source == null ? usual.durationNs() : Long.MAX_VALUE;
        return new Workload(
                source,
                instruments == null ? usual.instruments() : instruments,
                arrival,
                rate == null ? usual.eventsPerSecond() : rate,
                speed == null ? 0 : speed,
                usual.gentleStartNs(),
                usual.morning(),
                durationNs == null ? allOfIt : durationNs);
    }
}
