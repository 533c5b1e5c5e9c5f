package org.naklab.lab.studies.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.studies.simulation.GroupLoad;
import org.naklab.lab.studies.simulation.GroupNetwork;
import org.naklab.lab.studies.simulation.RecoveryLatency;
import org.naklab.lab.studies.simulation.RepairFigures;
import org.naklab.lab.studies.simulation.RepairStudy;
import org.naklab.lab.studies.simulation.StormSign;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab simulate repair}. */
@Command(
        name = "repair",
        description = "Simulate the repair of losses in a group of receivers: NAKs, back-off, retransmission, full "
                + "sockets. Is there a storm, and which setting prevents it?",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A storm has one of three signs: what was sent again made healthy receivers",
            "lose; the sender's socket dropped NAKs; or, for a second, NAKs and repeated",
            "datagrams were more than the datagrams of the feed. After a storm, the group is",
            "simulated again with one setting changed at a time.",
            "",
            "Losses have random numbers of their own: with the same seed, other settings",
            "meet the same losses. Exit code 0, with a storm or without.",
            "",
            "Examples:",
            "  naklab simulate repair --receivers 10000 --correlated 0.1%%",
            "  naklab simulate repair --receivers 50 --slow 1 --stall 150ms --profile aeron",
            "  naklab simulate repair --receivers 1 --loss 1%% --ignore 500ms --suppress 1s",
            "  naklab simulate repair --receivers 8 --loss 0.1%% --json"
        })
final class SimulateRepairCommand implements Callable<Integer> {
    private static final int MAX_RECEIVERS = 100_000;
    private static final long MAX_DATAGRAMS = 10_000_000;
    private static final long MAX_LOOKS = 20_000_000_000L;

    private final Terminal terminal;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            required = true,
            converter = Converters.Count.class,
            description = "Receivers in the group, up to 100,000.")
    private int receivers;

    @Mixin
    private RepairOptions transport;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5000",
            converter = Converters.Positive.class,
            description = "Datagrams per second (default: ${DEFAULT-VALUE}).")
    private long datagramsPerSecond;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = Converters.Duration.class,
            description = "Length of the feed (default: ${DEFAULT-VALUE}).")
    private long durationNs;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            defaultValue = "256",
            converter = Converters.Bytes.class,
            description = "Bytes of a datagram (default: ${DEFAULT-VALUE}).")
    private int datagramBytes;

    @Option(
            names = "--loss",
            paramLabel = "P",
            defaultValue = "0",
            converter = Converters.Probability.class,
            description = "Probability of each datagram to be lost, at each receiver on its own (default: 0).")
    private double loss;

    @Option(
            names = "--correlated",
            paramLabel = "P",
            defaultValue = "0",
            converter = Converters.Probability.class,
            description = "Probability of each datagram to be lost before it reaches a switch (default: 0).")
    private double correlated;

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "1",
            converter = Converters.Count.class,
            description = "Datagrams that a loss before the switch takes in a row (default: ${DEFAULT-VALUE}).")
    private int burst;

    @Option(
            names = "--share",
            paramLabel = "P",
            defaultValue = "1",
            converter = Converters.Probability.class,
            description = "Share of the receivers that are behind the switch (default: ${DEFAULT-VALUE}).")
    private double share;

    @Option(
            names = "--slow",
            paramLabel = "N",
            defaultValue = "0",
            converter = Converters.CountOrNone.class,
            description = "Slow receivers (default: ${DEFAULT-VALUE}).")
    private int slow;

    @Option(
            names = "--stall",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "Slow receivers stall this long (default: they do not).")
    private @Nullable Long stallNs;

    @Option(
            names = "--stall-every",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "Time from one stall to the next (default: there is one).")
    private @Nullable Long stallEveryNs;

    @Option(
            names = "--read-time",
            paramLabel = "TIME",
            defaultValue = "2us",
            converter = Converters.Duration.class,
            description = "Time of a receiver for one datagram (default: ${DEFAULT-VALUE}).")
    private long readNs;

    @Option(
            names = "--slow-read-time",
            paramLabel = "TIME",
            converter = Converters.Duration.class,
            description = "Time of a slow receiver for one datagram (default: --read-time).")
    private @Nullable Long slowReadNs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of losses, back-offs and wake-ups (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private JsonOption json;

    SimulateRepairCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        GroupLoad load = load();
        GroupNetwork network = GroupNetwork.DEFAULT.withReceiveNs(readNs);
        RepairStudy.Document document = RepairStudy.run(load, network, transport.settings(), seed);
        if (json.isGiven()) {
            json.print(terminal, document);
        } else {
            print(document);
        }
        return ExitCode.OK;
    }

    private GroupLoad load() {
        if (receivers > MAX_RECEIVERS) {
            throw new UsageException("--receivers must be from 1 to 100000, not " + receivers);
        }
        if (slow > receivers) {
            throw new UsageException("--slow " + slow + " is more than --receivers " + receivers);
        }
        if (slow == 0 && (stallNs != null || slowReadNs != null)) {
            throw new UsageException("--stall and --slow-read-time are for slow receivers: add --slow 1");
        }
        if (stallEveryNs != null && (stallNs == null || stallNs >= stallEveryNs)) {
            throw new UsageException("--stall-every needs a --stall that is shorter");
        }
        double datagrams = durationNs / Units.NS_PER_S * datagramsPerSecond;
        if (datagrams < 1 || datagrams > MAX_DATAGRAMS || datagrams * receivers > MAX_LOOKS) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "--rate and --duration come to %.0f datagrams; with %d receivers it must be from 1 to %d",
                    datagrams,
                    receivers,
                    Math.min(MAX_DATAGRAMS, MAX_LOOKS / receivers)));
        }
        return new GroupLoad(
                new GroupLoad.Traffic(
                        receivers, datagramsPerSecond, datagramBytes, GroupLoad.memoryBytes(datagramBytes), durationNs),
                new GroupLoad.Loss(loss, correlated, burst, share),
                new GroupLoad.Slow(
                        slow,
                        stallNs == null ? 0 : stallNs,
                        stallEveryNs == null ? 0 : stallEveryNs,
                        slowReadNs == null ? readNs : slowReadNs));
    }

    private void print(RepairStudy.Document document) {
        RepairFigures figures = document.figures();
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.RIGHT, Align.LEFT).indent(0);
        table.row("datagrams", Format.count(figures.datagrams()), "to " + Format.counted(receivers, "receiver"));
        table.row("lost on the way", Format.count(figures.losses().lostOnTheWay()), "at each receiver counted");
        table.row("lost in full sockets", Format.count(figures.losses().lostBySlow()), "of slow receivers");
        table.row("", Format.count(figures.losses().lostByHealthy()), "of the others");
        table.row("beyond the window", Format.count(figures.losses().overruns()), "");
        table.row(
                "NAKs sent",
                Format.count(figures.naks().naksSent()),
                peak(figures.answers().peakNaksPerSecond()));
        table.row("  suppressed", Format.count(figures.naks().naksSuppressed()), "repaired by another's NAK");
        table.row("  ignored", Format.count(figures.naks().naksIgnored()), "sent again a short time ago");
        table.row("  limited", Format.count(figures.naks().naksLimited()), "nothing left of the retransmit limit");
        table.row("  dropped", Format.count(figures.naks().naksDropped()), "the sender's socket was full");
        table.row("retransmits", Format.count(figures.answers().retransmits()), "NAKs answered");
        table.row(
                "  datagrams",
                Format.count(figures.answers().retransmittedDatagrams()),
                peak(figures.answers().peakRetransmittedPerSecond()));
        RecoveryLatency recovery = figures.outcome().recovery();
        table.row("recovery, p50", milliseconds(recovery.p50Us()), "ms");
        table.row("  p99", milliseconds(recovery.p99Us()), "ms");
        table.row("  p99.9", milliseconds(recovery.p999Us()), "ms");
        table.row("  max", milliseconds(recovery.maxUs()), "ms");
        table.row(
                "not recovered",
                Format.count(figures.outcome().unrecovered()),
                figures.outcome().unrecovered() == 0
                        ? ""
                        : "at " + Format.counted(figures.outcome().incompleteReceivers(), "receiver"));
        table.print();
        printStorm(document);
    }

    private void printStorm(RepairStudy.Document document) {
        RepairFigures figures = document.figures();
        terminal.out().println();
        String storm = figures.hasStorm()
                ? "Storm: "
                        + figures.outcome().storm().stream()
                                .map(StormSign::meaning)
                                .collect(Collectors.joining("; "))
                : "No storm";
        terminal.out()
                .println(storm + (figures.outcome().unrecovered() == 0 ? "." : "; not everything was recovered."));
        if (document.remedies().isEmpty()) {
            return;
        }
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.RIGHT, Align.RIGHT);
        table.head("one setting changed", "", "p99.9 ms", "not recovered");
        document.remedies()
                .forEach(remedied -> table.row(
                        remedied.setting(),
                        result(remedied),
                        milliseconds(remedied.figures().outcome().recovery().p999Us()),
                        Format.count(remedied.figures().outcome().unrecovered())));
        table.print();
    }

    private static String result(RepairStudy.Remedied remedied) {
        if (remedied.prevents()) {
            return "prevents it";
        }
        return remedied.figures().hasStorm() ? "storm" : "loses";
    }

    private static String peak(long perSecond) {
        return "peak " + Format.count(perSecond) + "/s over 100 ms";
    }

    private static String milliseconds(double us) {
        return String.format(Locale.ROOT, "%,.1f", us / Units.US_PER_MS);
    }
}
