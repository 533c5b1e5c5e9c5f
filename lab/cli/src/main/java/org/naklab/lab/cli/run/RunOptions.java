package org.naklab.lab.cli.run;

import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import org.naklab.journaler.disk.PageCachePolicy;
import org.naklab.lab.cli.ci.CiOptions;
import org.naklab.lab.cli.hunt.HuntOptions;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.capture.FeedCapture;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Customers;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.PinnableThreads;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.ServiceSettings;
import org.naklab.lab.scenarios.record.RunDirectory;
import org.naklab.lab.scenarios.record.RunRoom;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.HistoryOptions;
import org.naklab.lab.terminal.runs.RunsOption;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code naklab run}, and the plan that they result in. */
final class RunOptions {
    @Parameters(paramLabel = "SCENARIO", description = "A scenario from 'naklab list'.")
    private String scenario;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the order flow and of all random choices (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--verbose", description = "Print also the set-up, all figures and all conditions.")
    private boolean verbose;

    @Option(names = "--html", paramLabel = "FILE", description = "Write the comparison of the runs as an HTML page.")
    private @Nullable Path html;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            converter = Converters.Count.class,
            description = "Number of runs, with consecutive seeds (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Option(
            names = "--retry",
            paramLabel = "N",
            defaultValue = "0",
            converter = Converters.CountOrNone.class,
            description =
                    "Repeat an inconclusive run, with the same seed, up to so many times (default: ${DEFAULT-VALUE}).")
    private int retry;

    @Mixin
    private TrafficOptions traffic;

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
    private RateLimitMode rateLimiting;

    @Option(
            names = "--idle",
            paramLabel = "I",
            defaultValue = "BACKOFF",
            description = "Idle strategy: backoff, or spin on machines with spare cores (default: backoff).")
    private IdleMode idle;

    @Option(
            names = "--journal-page-cache",
            paramLabel = "M",
            defaultValue = "KEPT",
            description =
                    "Pages of the journal in the page cache: kept, or polite: written to disk and dropped behind the "
                            + "writer (default: kept).")
    private PageCachePolicy journalPages;

    @Option(
            names = ServiceSettings.FLAG_OPTION,
            paramLabel = "FLAG",
            description =
                    "Start the JVM of the service with a flag, such as --service-flag=-XX:+UseTransparentHugePages; repeatable.")
    private List<String> serviceFlags = List.of();

    @Option(
            names = ServiceSettings.VARIABLE_OPTION,
            paramLabel = "NAME=VALUE",
            description = "Start the service with a variable in its environment; repeatable.")
    private Map<String, String> serviceEnvironment = Map.of();

    @Option(
            names = "--pin",
            paramLabel = "THREAD=CPU",
            converter = PinConverter.class,
            description = "Bind a thread of a process to one CPU, such as mds-context=2; may be repeated. The report "
                    + "then shows who else ran there, and the kernel's trace of the worst incident.")
    private List<Pin> pins = List.of();

    @Option(
            names = "--observe",
            paramLabel = "L",
            defaultValue = "NORMAL",
            description = "Instruments: none, normal, or full: each absence and interrupt of 10 us and longer of all "
                    + "threads, and the kernel's trace of the worst incident (default: normal).")
    private InstrumentLevel instruments;

    @Option(
            names = RunPlan.CAPTURE_OPTION,
            description =
                    "Keep the heads of the datagrams that come in for the service and the gateways, in capture.pcapng of "
                            + "the run's directory: 256 MiB and 10 minutes at most. Needs dumpcap, and the right to capture.")
    private boolean isCaptured;

    @Option(
            names = Customers.OPTION,
            paramLabel = "N",
            converter = Converters.CountOrNone.class,
            description =
                    "Customers of the service and of each gateway, which connect over TCP and UDP on this machine; 0: none "
                            + "(default: 1000 of the gateway in slow-client, 3 in mystery on four CPUs or more, otherwise none).")
    private @Nullable Integer clients;

    @Option(
            names = "--containers",
            description = "Run the processes in containers where the fidelity can do without them (evicted, natural).")
    private boolean isInContainers;

    @Mixin
    private RunsOption runs;

    @Mixin
    private StallOptions stall;

    @Mixin
    private FaultOptions faults;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private AttachOptions attach;

    @Mixin
    private HuntOptions hunt;

    @Mixin
    private HistoryOptions history;

    @Mixin
    private CiOptions ci;

    private AddedFaults added = AddedFaults.NONE;

    Scenario requireScenario(CommandSpec spec) {
        return Scenarios.find(scenario)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "no scenario '" + scenario + "'"
                                + Spelling.hint(
                                        scenario,
                                        Scenarios.all().stream()
                                                .map(Scenario::name)
                                                .toList())));
    }

    /** Checks combinations of options. */
    void check(CommandSpec spec) {
        traffic.check(spec);
        if (clients != null && clients > Customers.MOST) {
            throw new UsageException(
                    Customers.OPTION + " takes up to " + Customers.MOST + " customers, and not " + clients);
        }
        attach.check(spec, network.isInterfaceGiven());
        added = faults.added();
        hunt.check(besidesHunt());
    }

    /** Returns what the user should know before a run, each one line. */
    List<String> notes() {
        return SpinCheck.note(idle, Runtime.getRuntime().availableProcessors()).stream()
                .toList();
    }

    /** @throws org.naklab.lab.core.InputException a file that is to hold the result cannot be written */
    void checkFiles() {
        ci.check();
        html().ifPresent(OutputFile::requireWritableInNewDirectory);
    }

    /** @throws org.naklab.lab.core.UnavailableException if an added fault cannot be injected here */
    void checkObstacles() {
        added.checkObstacles();
    }

    /** Returns why the scenario cannot be run where it was asked for; empty if it can. */
    Optional<String> obstacle(Scenario chosen) {
        return attach.isGiven() ? chosen.compositionObstacle() : chosen.obstacle();
    }

    private Optional<String> besidesHunt() {
        if (repeat != 1) {
            return Optional.of("--repeat");
        }
        if (retry != 0) {
            return Optional.of("--retry");
        }
        if (html != null) {
            return Optional.of("--html");
        }
        return stall.isOfAllRemedies() ? Optional.of("--remedy all") : ci.besidesHunt();
    }

    CiOptions ci() {
        return ci;
    }

    HuntOptions hunt() {
        return hunt;
    }

    /** Gives back what a plan holds, when its run is over. */
    void release() {
        network.close();
    }

    @Nullable
    Path source() {
        return traffic.source();
    }

    Path runs() {
        return runs.directory();
    }

    /** @throws org.naklab.lab.core.UsageException a URL of no kind that a history can be */
    HistoryUrl history() {
        return history.url(runs.directory());
    }

    /** Returns the file of the page with the comparison; empty if none is wanted. */
    Optional<Path> html() {
        return Optional.ofNullable(html);
    }

    long seed() {
        return seed;
    }

    int retry() {
        return retry;
    }

    int repeat() {
        return repeat;
    }

    boolean isVerbose() {
        return verbose;
    }

    StallOptions stall() {
        return stall;
    }

    /** @throws org.naklab.lab.core.UsageException when the scenario makes no stall, or is refused everything */
    StallOptions.Chosen choose(Scenario chosen) {
        return stall.choose(chosen, runs.directory(), attach.isGiven());
    }

    /** @throws org.naklab.lab.core.UsageException when the scenario cannot have what was asked for */
    RunPlan plan(Scenario chosen, StallOptions.Chosen fidelity, Remedy remedy, long itsSeed) {
        TopicChannels channels = network.channels();
        Path parent = runs.directory();
        RunPlan plan = new RunPlan(
                chosen.name(),
                fidelity.fidelity(),
                remedy,
                itsSeed,
                new RunPlan.Traffic(traffic.change(chosen.workload()), rateLimiting, null),
                new RunPlan.Transport(profile, channels, idle),
                new RunPlan.Placement(parent, "").inContainers(isInContainers).captured(isCaptured),
                Stream.concat(fidelity.notes().stream(), FaultOptions.notes(added))
                        .toList(),
                added);
        RunPlan prepared = chosen.prepare(attach.place(chosen, plan), stall.stallNs(chosen), traffic.isRateGiven());
        added.check(prepared, chosen.warmUpNs(prepared));
        added.checkPlaces(chosen.isContained(prepared));
        ServiceSettings settings = new ServiceSettings(serviceFlags, serviceEnvironment);
        if (!settings.isEmpty() && chosen.isContained(prepared)) {
            throw new UsageException("the service of " + chosen.name() + " is in a container: it takes no "
                    + ServiceSettings.FLAG_OPTION + " and no " + ServiceSettings.VARIABLE_OPTION);
        }
        if (isCaptured) {
            checkCapture(chosen.isContained(prepared), channels);
        }
        Map<String, Integer> cpus = pins(chosen, prepared);
        RunPlan observed = prepared.observedBy(instruments);
        RunDirectory directory =
                RunDirectory.create(parent, chosen.name(), Instant.now(), itsSeed, RunRoom.bytes(observed));
        return observed.with(journalPages)
                .with(customers(chosen, prepared))
                .with(settings)
                .pinned(cpus)
                .at(directory.path(), "");
    }

    private void checkCapture(boolean isContained, TopicChannels channels) {
        if (isContained) {
            throw new UsageException(RunPlan.CAPTURE_OPTION
                    + " needs processes on this machine, and those of this run are in containers");
        }
        FeedCapture.obstacle(channels.networkInterface()).ifPresent(why -> {
            throw new UnavailableException(RunPlan.CAPTURE_OPTION + " is not possible here: " + why);
        });
        long usableBytes = RunDirectory.check(runs.directory());
        if (usableBytes < FeedCapture.MAX_BYTES) {
            throw new UnavailableException(RunPlan.CAPTURE_OPTION + " needs room for "
                    + Format.bytes(FeedCapture.MAX_BYTES) + ", and " + Format.bytes(usableBytes) + " are free in "
                    + runs.directory());
        }
    }

    private Customers customers(Scenario chosen, RunPlan prepared) {
        boolean isContained = chosen.isContained(prepared);
        Integer wanted = clients;
        if (wanted == null) {
            return isContained ? Customers.NONE : chosen.customers(prepared);
        }
        if (isContained && wanted > 0) {
            throw new UsageException(
                    Customers.OPTION + " needs processes on this machine, and those of this run are in containers");
        }
        return Customers.of(wanted);
    }

    private Map<String, Integer> pins(Scenario chosen, RunPlan prepared) {
        Map<String, Integer> cpus = new LinkedHashMap<>(prepared.placement().pins());
        pins.forEach(pin -> cpus.put(pin.thread(), pin.cpu()));
        if (cpus.isEmpty()) {
            return cpus;
        }
        if (chosen.isContained(prepared)) {
            throw new UsageException(
                    "--pin binds threads of this machine, and the processes of this run are in containers");
        }
        PinnableThreads.check(cpus.keySet(), chosen.deploy(prepared));
        return cpus;
    }

    /** A thread and its only CPU. */
    private record Pin(String thread, int cpu) {}

    private static final class PinConverter implements ITypeConverter<Pin> {
        @Override
        public Pin convert(String text) {
            int equals = text.lastIndexOf('=');
            if (equals <= 0 || !text.substring(equals + 1).matches("\\d{1,4}")) {
                throw new TypeConversionException("'" + text + "' is no THREAD=CPU, such as mds-context=2");
            }
            int cpu = Integer.parseInt(text.substring(equals + 1));
            if (!ThreadAffinity.allowed().contains(cpu)) {
                throw new TypeConversionException(
                        "no CPU " + cpu + "; this process may use " + ThreadAffinity.allowed());
            }
            return new Pin(text.substring(0, equals), cpu);
        }
    }
}
