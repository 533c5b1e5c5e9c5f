package org.naklab.lab.studies.command;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.studies.repair.MeasuredRepair;
import org.naklab.lab.studies.repair.RepairBench;
import org.naklab.lab.studies.repair.RepairCheck;
import org.naklab.lab.studies.repair.RepairLoad;
import org.naklab.lab.studies.simulation.RecoveryLatency;
import org.naklab.lab.studies.simulation.RepairFigures;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Table.Align;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.tools.command.SeedOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab bench repair}. */
@Command(
        name = "repair",
        description = "Measure how fast lost datagrams come back, with Aeron's defaults, tuned Aeron and LBT-RM, for "
                + "the same seeded losses and the same stalls. Takes about two minutes.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Sender and receivers run in this process, each with a driver, sockets on the",
            "loopback and a thread of its own. Recovery begins when a later datagram comes",
            "in, and ends when the lost one does. Delivery is that of all messages: from the",
            "time at which a message was due to its receipt in order.",
            "",
            "Beside each row are the figures of 'naklab simulate repair' for the same group.",
            "",
            "Examples:",
            "  naklab bench repair",
            "  naklab bench repair --receivers 8 --loss 0.5%% --duration 60s --json",
            "  naklab bench repair --check"
        })
public final class BenchRepairCommand implements Callable<Integer> {
    private static final int MAX_RECEIVERS = 64;
    private static final int MAX_PER_SECOND = 100_000;
    private static final String CHECKED_SIZES = "2,4,8";

    private final Terminal terminal;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            defaultValue = "3",
            converter = Converters.Count.class,
            description = "Receivers, up to 64 (default: ${DEFAULT-VALUE}).")
    private int receivers;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "5000",
            converter = Converters.Positive.class,
            description = "Messages per second, one in each datagram (default: ${DEFAULT-VALUE}).")
    private long perSecond;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Converters.Duration.class,
            description = "Length of each feed (default: ${DEFAULT-VALUE}).")
    private long durationNs;

    @Option(
            names = "--loss",
            paramLabel = "P",
            defaultValue = "0.001",
            converter = Converters.Probability.class,
            description =
                    "Probability of each datagram to be lost at each receiver; 0: leave random loss out (default: "
                            + "${DEFAULT-VALUE}).")
    private double loss;

    @Option(
            names = "--stall",
            paramLabel = "TIME",
            defaultValue = "100ms",
            converter = Converters.Stall.class,
            description = "The last receiver stalls this long every two seconds (default: ${DEFAULT-VALUE}).")
    private long stallNs;

    @Option(
            names = "--receive-buffer",
            paramLabel = "BYTES",
            defaultValue = "131072",
            converter = Converters.Bytes.class,
            description = "SO_RCVBUF of all sockets, so that each profile loses the same in a stall (default: "
                    + "${DEFAULT-VALUE}).")
    private int receiveBufferBytes;

    @Option(
            names = "--check",
            paramLabel = "N,N",
            arity = "0..1",
            split = ",",
            fallbackValue = CHECKED_SIZES,
            converter = Converters.Count.class,
            description = "Compare the simulation with groups of these sizes, figure by figure (without N: "
                    + CHECKED_SIZES + "); takes about seven minutes.")
    private List<Integer> checked = List.of();

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    BenchRepairCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (receivers > MAX_RECEIVERS || perSecond > MAX_PER_SECOND) {
            throw new UsageException("at most " + MAX_RECEIVERS + " receivers and " + MAX_PER_SECOND
                    + " messages per second; larger groups: naklab simulate repair");
        }
        if (checked.stream().anyMatch(size -> size > MAX_RECEIVERS)) {
            throw new UsageException("--check takes groups of up to " + MAX_RECEIVERS + " receivers");
        }
        KilledLabs.undo(terminal.err());
        if (!checked.isEmpty()) {
            return check();
        }
        RepairLoad lossy = load(receivers, loss, 0);
        RepairLoad stalled = load(receivers, 0, stallNs);
        RepairBench.Document document;
        try (StepProgress progress = StepProgress.untilInterrupted(
                        terminal, RepairBench.steps(lossy, stalled), () -> {})
                .expecting(durationNs)) {
            document = RepairBench.run(lossy, stalled, seed.seed(), progress);
        }
        if (json.isGiven()) {
            json.print(terminal, document);
        } else {
            print(document);
        }
        return ExitCode.OK;
    }

    private int check() {
        List<RepairCheck.Deviation> deviations;
        try (StepProgress progress = StepProgress.untilInterrupted(terminal, RepairCheck.steps(checked), () -> {})
                .expecting(2 * durationNs)) {
            deviations = RepairCheck.run(
                    checked, size -> load(size, loss, 0), size -> load(size, 0, stallNs), seed.seed(), progress);
        }
        if (json.isGiven()) {
            json.print(terminal, Map.of("tolerance", RepairCheck.TOLERANCE, "deviations", deviations));
            return ExitCode.OK;
        }
        Table table = new Table(
                terminal,
                terminal.out(),
                Align.RIGHT,
                Align.LEFT,
                Align.LEFT,
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.RIGHT,
                Align.LEFT);
        table.head("receivers", "trouble", "profile", "figure", "measured", "simulated", "ratio", "");
        deviations.forEach(each -> table.row(
                String.valueOf(each.receivers()),
                each.trouble(),
                each.arm().label(),
                each.figure(),
                us(each.measured()),
                us(each.simulated()),
                String.format(Locale.ROOT, "%.2f", each.ratio()),
                each.isWithin() ? "" : "differs"));
        table.print();
        long within =
                deviations.stream().filter(RepairCheck.Deviation::isWithin).count();
        terminal.out().println();
        terminal.out()
                .println(within + " of " + deviations.size() + " figures are within "
                        + Math.round(100 * RepairCheck.TOLERANCE) + " %");
        return ExitCode.OK;
    }

    private RepairLoad load(int size, double probability, long stalledNs) {
        return new RepairLoad(
                size, perSecond, durationNs, probability, stalledNs, TimeUnit.SECONDS.toNanos(2), receiveBufferBytes);
    }

    private void print(RepairBench.Document document) {
        Table table = table();
        table.head("trouble", "profile", "", "lost", "p50 us", "p99", "p99.9", "max", "NAKs", "retx", "not rec.");
        for (RepairBench.Row row : document.rows()) {
            MeasuredRepair measured = row.measured();
            add(
                    table,
                    row.trouble(),
                    row.arm().label(),
                    "measured",
                    measured.latencies().recovery(),
                    measured.counts().naksSent(),
                    measured.counts().retransmits(),
                    measured.unrecovered());
            RepairFigures simulated = row.simulated();
            add(
                    table,
                    "",
                    "",
                    "simulated",
                    simulated.outcome().recovery(),
                    simulated.naks().naksSent(),
                    simulated.answers().retransmits(),
                    simulated.outcome().unrecovered());
        }
        table.print();
        terminal.out().println();
        terminal.out().println("Delivery of all messages, p99.9:");
        Table delivery = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT, Align.RIGHT, Align.LEFT);
        document.rows()
                .forEach(row -> delivery.row(
                        row.trouble(),
                        row.arm().label(),
                        us(row.measured().latencies().delivery().p999Us()),
                        "us"));
        delivery.row(
                "published",
                "aeron",
                Format.count(document.publishedDefaultP999Us()),
                "us (aeron-tuning.com, 0.01 % loss)");
        delivery.row("published", "aeron-tuned", Format.count(document.publishedTunedP999Us()), "us");
        delivery.print();
    }

    private Table table() {
        return new Table(
                        terminal,
                        terminal.out(),
                        Align.LEFT,
                        Align.LEFT,
                        Align.LEFT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT,
                        Align.RIGHT)
                .indent(0);
    }

    private static void add(
            Table table,
            String trouble,
            String arm,
            String how,
            RecoveryLatency latency,
            long naks,
            long retransmits,
            long unrecovered) {
        table.row(
                trouble,
                arm,
                how,
                Format.count(latency.count()),
                us(latency.p50Us()),
                us(latency.p99Us()),
                us(latency.p999Us()),
                us(latency.maxUs()),
                Format.count(naks),
                Format.count(retransmits),
                Format.count(unrecovered));
    }

    private static String us(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
