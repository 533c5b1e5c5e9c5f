package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.history.HistoryOptions;
import org.naklab.lab.cli.history.RunArgument;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.NetworkOptions;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.process.IdleMode;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.subscriber.SnapshotRateMode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What {@code naklab run} takes, and the plan that comes of it. */
final class RunOptions {
    @Parameters(paramLabel = "SCENARIO", description = "A scenario from 'naklab list'.")
    private String scenario;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the order flow and of all random choices (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = Converters.Rate.class,
            description = "Events per second, or max for as fast as possible.")
    private @Nullable Long rate;

    @Option(
            names = "--duration",
            paramLabel = "S",
            converter = Converters.Seconds.class,
            description = "Duration of the flow in seconds (with --source: at most).")
    private @Nullable Long durationNs;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            converter = Converters.Count.class,
            description = "Number of runs, with consecutive seeds (default: ${DEFAULT-VALUE}).")
    private int repeat;

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

    @Option(
            names = "--profile",
            paramLabel = "P",
            defaultValue = "LBTRM",
            description = "Transport: lbtrm or aeron (default: lbtrm).")
    private TransportProfile profile;

    @Option(
            names = "--rate-limiting",
            paramLabel = "M",
            defaultValue = "TRANSPORT",
            description = "Rate limiting of the snapshots: transport, application or none (default: transport).")
    private SnapshotRateMode rateLimiting;

    @Option(
            names = "--idle",
            paramLabel = "I",
            defaultValue = "BACKOFF",
            description = "Idle strategy: backoff, or spin on machines with spare cores (default: backoff).")
    private IdleMode idle;

    @Option(names = "--runs", paramLabel = "DIR", description = "Directory of the runs (default: runs in the project).")
    private @Nullable Path runs;

    @Mixin
    private StallOptions stall;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private AttachOptions attach;

    @Mixin
    private HistoryOptions history;

    Scenario requireScenario(CommandSpec spec) {
        return Scenarios.find(scenario)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "no scenario '" + scenario + "'; there are: "
                                + Scenarios.all().stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /** What each option alone cannot tell. */
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
        attach.check(spec, network.isInterfaceGiven());
    }

    /** Gives back what a plan holds, when its run is over. */
    void release() {
        network.close();
    }

    @Nullable
    Path source() {
        return source;
    }

    /** @throws org.naklab.lab.core.UsageException a URL of no kind that a history can be */
    HistoryUrl history() {
        return history.url(RunArgument.runs(runs));
    }

    long seed() {
        return seed;
    }

    int repeat() {
        return repeat;
    }

    StallOptions stall() {
        return stall;
    }

    /** @throws org.naklab.lab.core.UsageException when the scenario cannot have what was asked for */
    RunPlan plan(Scenario chosen, StallOptions.Chosen fidelity, Remedy remedy, long itsSeed) {
        TopicChannels channels = network.channels();
        Path parent = RunArgument.runs(runs);
        RunPlan plan = new RunPlan(
                chosen.name(),
                fidelity.fidelity(),
                remedy,
                itsSeed,
                workload(chosen.workload()),
                profile,
                channels,
                rateLimiting,
                idle,
                null,
                fidelity.notes(),
                parent,
                "");
        RunPlan prepared = chosen.prepare(attach.place(chosen, plan), stall.stallNs(chosen), rate != null);
        RunDirectory directory = RunDirectory.create(parent, chosen.name(), Instant.now(), itsSeed);
        return prepared.at(directory.path(), "");
    }

    private Workload workload(Workload usual) {
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
