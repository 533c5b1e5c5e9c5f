package org.naklab.lab.cli.simulate;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.bench.simulation.StormSign;
import org.naklab.lab.bench.simulation.StormStudy;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.JsonOption;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Terminal;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code naklab simulate storm}. */
@Command(
        name = "storm",
        description =
                "Simulate one slow receiver, and a loss that all receivers share, in groups of growing size: from "
                        + "how many receivers on is the repair a storm, and which setting prevents it?",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "A feed of 5,000 datagrams a second of 256 bytes, for two seconds, with the",
            "settings of both profiles. The slow receiver stalls for 150 ms in each second;",
            "the shared loss takes one datagram in a thousand. For the signs of a storm, and",
            "for one group alone, see 'naklab simulate repair --help'. The exit code is 0.",
            "",
            "Examples:",
            "  naklab simulate storm",
            "  naklab simulate storm --receivers 10,100 --read-time 40us --svg storm.svg"
        })
final class SimulateStormCommand implements Callable<Integer> {
    private static final int MAX_RECEIVERS = 10_000;

    private final Terminal terminal;

    @Option(
            names = "--receivers",
            paramLabel = "N,N",
            split = ",",
            defaultValue = "10,100,1000,10000",
            converter = Converters.Count.class,
            description = "Sizes of the groups, up to 10,000 (default: ${DEFAULT-VALUE}).")
    private List<Integer> receivers = List.of();

    @Option(
            names = "--read-time",
            paramLabel = "TIME",
            defaultValue = "20us",
            converter = Converters.Duration.class,
            description = "Time of a receiver for one datagram (default: ${DEFAULT-VALUE}).")
    private long readNs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of losses, back-offs and wake-ups (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a chart.")
    private @Nullable Path svg;

    @Mixin
    private JsonOption json;

    SimulateStormCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (receivers.stream().anyMatch(each -> each > MAX_RECEIVERS)) {
            throw new UsageException("--receivers takes numbers up to 10000; larger groups: naklab simulate repair");
        }
        List<StormStudy.Row> rows =
                StormStudy.run(receivers.stream().sorted().distinct().toList(), readNs, seed, terminal.err()::println);
        if (json.isGiven()) {
            json.print(terminal, Map.of("groups", rows));
        } else {
            print(rows);
        }
        if (svg != null) {
            new StormChart(rows).write(svg);
        }
        return ExitCode.OK;
    }

    private void print(List<StormStudy.Row> rows) {
        Table table = new Table(
                terminal,
                terminal.out(),
                Table.Align.LEFT,
                Table.Align.LEFT,
                Table.Align.RIGHT,
                Table.Align.RIGHT,
                Table.Align.RIGHT,
                Table.Align.RIGHT,
                Table.Align.RIGHT);
        table.head("trouble", "profile", "receivers", "NAKs/s", "again/s", "p99 ms", "not recovered");
        rows.forEach(row -> table.row(
                row.trouble().label(),
                row.profile().name().toLowerCase(Locale.ROOT),
                Format.count(row.receivers()),
                Format.count(row.figures().peakNaksPerSecond()),
                Format.count(row.figures().peakRetransmittedPerSecond()),
                String.format(Locale.ROOT, "%,.1f", row.figures().recovery().p99Us() / 1e3),
                Format.count(row.figures().unrecovered())));
        table.print();
        terminal.out().println();
        terminal.out().println("NAKs and datagrams that were sent again: the most over 100 ms. The feed has 5,000/s.");
        rows.forEach(row -> terminal.out().println(sentence(row)));
    }

    private static String sentence(StormStudy.Row row) {
        String group = row.trouble().label() + ", " + row.profile().name().toLowerCase(Locale.ROOT) + ", "
                + Format.counted(row.receivers(), "receiver") + ": ";
        if (row.figures().isHarmless()) {
            return group + "no storm";
        }
        String harm = row.figures().hasStorm()
                ? "storm ("
                        + row.figures().storm().stream().map(StormSign::meaning).collect(Collectors.joining("; ")) + ")"
                : "no storm, but not everything was recovered";
        return group + harm + "; prevented by: "
                + (row.prevents().isEmpty() ? "no single setting" : String.join(", ", row.prevents()));
    }
}
