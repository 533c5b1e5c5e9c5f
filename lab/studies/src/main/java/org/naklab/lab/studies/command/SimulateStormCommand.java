package org.naklab.lab.studies.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.OutputFile;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.studies.simulation.StormSign;
import org.naklab.lab.studies.simulation.StormStudy;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.StepProgress;
import org.naklab.lab.terminal.Table;
import org.naklab.lab.terminal.Terminal;
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
            "A feed of 5,000 datagrams a second of 128 bytes, for five seconds, with the",
            "settings of both profiles. One slow receiver stalls once, for 150, 600 or",
            "3,000 ms; the shared loss takes 0.1, 1 or 5 %% of the datagrams. For the signs of",
            "a storm, and for one group alone, see 'naklab simulate repair --help'. The exit",
            "code is 0.",
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
        if (svg != null) {
            OutputFile.requireWritableInNewDirectory(svg);
        }
        List<Integer> groups = receivers.stream().sorted().distinct().toList();
        List<StormStudy.Row> rows;
        try (StepProgress progress = StepProgress.untilInterrupted(terminal, StormStudy.rows(groups), () -> {})) {
            rows = StormStudy.run(groups, readNs, seed, progress);
        }
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
        List<Integer> groups =
                rows.stream().map(StormStudy.Row::receivers).distinct().toList();
        List<Table.Align> columns = new ArrayList<>(List.of(Table.Align.LEFT, Table.Align.RIGHT, Table.Align.LEFT));
        groups.forEach(group -> columns.add(Table.Align.RIGHT));
        Table table = new Table(terminal, terminal.out(), columns.toArray(Table.Align[]::new));
        table.head(Stream.concat(
                        Stream.of("trouble", "of", "profile"), groups.stream().map(Format::count))
                .toArray(String[]::new));
        byGroups(rows)
                .forEach(ofLine -> table.row(Stream.concat(
                                Stream.of(
                                        ofLine.get(0).severity().trouble().label(),
                                        ofLine.get(0).severity().label(),
                                        ofLine.get(0).profileLabel()),
                                ofLine.stream().map(SimulateStormCommand::cell))
                        .toArray(String[]::new)));
        table.print();
        terminal.out().println();
        terminal.out().println("By the number of receivers: the most NAKs and datagrams that were sent again,");
        terminal.out().println("per second over 100 ms; the feed has 5,000. *: a storm. !: not all recovered.");
        terminal.out().println();
        Table answers = new Table(terminal, terminal.out(), Table.Align.LEFT, Table.Align.LEFT);
        byGroups(rows).forEach(ofLine -> answers.row(name(ofLine.get(0)), answer(ofLine)));
        answers.below(6).print();
    }

    /** Splits the rows into those that differ in the number of receivers only. */
    private static List<List<StormStudy.Row>> byGroups(List<StormStudy.Row> rows) {
        return List.copyOf(rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.severity().label() + row.profile(), LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private static String cell(StormStudy.Row row) {
        String mark = row.figures().hasStorm() ? "*" : row.figures().outcome().unrecovered() > 0 ? "!" : " ";
        return Format.count(row.peakPerSecond()) + mark;
    }

    private static String name(StormStudy.Row row) {
        return row.severity().trouble().label() + " of " + row.severity().label() + ", " + row.profileLabel() + ":";
    }

    private static String answer(List<StormStudy.Row> ofLine) {
        Optional<StormStudy.Row> storm =
                ofLine.stream().filter(row -> row.figures().hasStorm()).findFirst();
        Optional<StormStudy.Row> harm =
                ofLine.stream().filter(row -> !row.figures().isHarmless()).findFirst();
        if (harm.isEmpty()) {
            return "no storm";
        }
        StormStudy.Row row = storm.orElse(harm.get());
        String signs =
                row.figures().outcome().storm().stream().map(StormSign::meaning).collect(Collectors.joining("; "));
        return (storm.isPresent() ? "storm" : "no storm, but not everything was recovered,") + " from "
                + Format.counted(row.receivers(), "receiver") + " on" + (signs.isEmpty() ? "" : " (" + signs + ")")
                + "; prevented there by "
                + (row.prevents().isEmpty() ? "no single setting" : String.join(", ", row.prevents()));
    }
}
