package org.naklab.lab.cli.tune;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.bench.tune.Answer;
import org.naklab.lab.bench.tune.Arm;
import org.naklab.lab.bench.tune.ArmResult;
import org.naklab.lab.bench.tune.BenchMeasurement;
import org.naklab.lab.bench.tune.BenchTask;
import org.naklab.lab.bench.tune.Experiment;
import org.naklab.lab.bench.tune.Tuning;
import org.naklab.lab.cli.terminal.Converters;
import org.naklab.lab.cli.terminal.ExitCode;
import org.naklab.lab.cli.terminal.JsonOption;
import org.naklab.lab.cli.terminal.Table;
import org.naklab.lab.cli.terminal.Table.Align;
import org.naklab.lab.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code naklab tune}. */
@Command(
        name = "tune",
        description = {
            "Change one thing and measure what it does: run a benchmark with each arm in turns, until it is known whether the arm helps, makes no difference or hurts.",
            "",
            "Each run is a new JVM. The runs of an arm are compared with those of the arm 'default', which changes nothing, by the ratios of runs that"
                    + " followed each other. The interval of the effect holds however often one looks at it: an arm ends as soon as it has its answer. Every"
                    + " setting is looked for in the measured process; kernel settings are put back however the command ends."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "An arm is NAME=SETTINGS. Settings are flags of the JVM (-XX:+UseTransparentHugePages), variables (LD_PRELOAD=FILE), kernel parameters"
                    + " (sysctl:vm.nr_hugepages=640) and files (file:/sys/block/vda/queue/read_ahead_kb=128), separated by spaces.",
            "",
            "Examples:",
            "  naklab tune --list",
            "  naklab tune --experiment pages",
            "  naklab tune book --arm thp=-XX:+UseTransparentHugePages",
            "  naklab tune append --arm 'near=file:/sys/block/vda/queue/read_ahead_kb=4'",
            "",
            "Exit codes: 0 every arm has an answer, 2 an arm has not enough runs or was not in effect."
        })
public final class TuneCommand implements Callable<Integer> {
    private static final double PERCENT = 100;

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "BENCH", description = "What each arm runs: book, append or pipeline.")
    private @Nullable String bench;

    @Option(names = "--arm", paramLabel = "NAME=SETTINGS", description = "An arm; may be repeated.")
    private List<String> arms = new ArrayList<>();

    @Option(names = "--experiment", paramLabel = "NAME", description = "A ready-made comparison; see --list.")
    private @Nullable String experiment;

    @Option(names = "--list", description = "List the benchmarks and the ready-made comparisons; run nothing.")
    private boolean isList;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "20",
            converter = Converters.Count.class,
            description = "Most runs per arm (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--margin",
            paramLabel = "PERCENT",
            defaultValue = "3",
            description = "Effects smaller than this make no difference (default: ${DEFAULT-VALUE}).")
    private double marginPercent;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1000000",
            converter = Converters.Events.class,
            description = "Events per measurement; a run is the median of three (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the first run; the runs of one round have the same (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--html", paramLabel = "FILE", description = "Write the comparison as an HTML page.")
    private @Nullable Path html;

    @Mixin
    private JsonOption json;

    /** Creates the command. */
    public TuneCommand(Terminal terminal) {
        this.terminal = terminal;
        json = new JsonOption();
    }

    /**
     * The document of {@code --json}.
     *
     * @param margin relative effects smaller than this make no difference
     * @param leftOut why arms cannot be run on this machine, by name
     */
    private record Document(
            String task, String metric, double margin, List<TunedArm> arms, Map<String, String> leftOut) {}

    @Override
    public Integer call() throws Exception {
        if (isList) {
            list();
            return ExitCode.OK;
        }
        String wanted = experiment;
        Experiment ready = wanted == null ? null : parsed(() -> Experiment.of(wanted));
        if (ready == null && bench == null) {
            throw wrong("name a benchmark (" + String.join(", ", BenchTask.labels())
                    + ") or --experiment NAME; see --list");
        }
        if (ready != null && (bench != null || !arms.isEmpty())) {
            throw wrong("--experiment has a benchmark and arms of its own: omit BENCH and --arm");
        }
        BenchTask task = ready == null ? parsed(() -> BenchTask.of(String.valueOf(bench))) : ready.task();
        Experiment.Arms chosen = ready == null ? null : ready.arms();
        List<Arm> compared = chosen == null ? ownArms() : chosen.possible();
        Map<String, String> leftOut = chosen == null ? Map.of() : chosen.leftOut();
        if (marginPercent <= 0 || marginPercent >= PERCENT) {
            throw wrong("--margin is a percentage between 0 and 100");
        }
        leftOut.forEach((name, reason) -> terminal.err().println("left out: " + name + ": " + reason));
        if (compared.isEmpty()) {
            throw wrong("there is no arm to compare with the default: give at least one --arm NAME=SETTINGS");
        }
        return run(task, compared, leftOut);
    }

    private int run(BenchTask task, List<Arm> compared, Map<String, String> leftOut) throws InterruptedException {
        List<ArmResult> results;
        try (BenchMeasurement measurement = new BenchMeasurement(task, events, 3)) {
            results = new Tuning(rounds, marginPercent / PERCENT, true).run(compared, seed, measurement, this::report);
        }
        List<TunedArm> tuned = results.stream().map(TunedArm::of).toList();
        if (json.isGiven()) {
            json.print(terminal, new Document(task.label(), "events/s", marginPercent / PERCENT, tuned, leftOut));
        } else {
            print(task, tuned);
        }
        if (html != null) {
            TunePage.write(html, task, marginPercent / PERCENT, tuned, leftOut);
        }
        boolean isAnswered = results.stream()
                .filter(result -> !result.arm().equals(Arm.CONTROL))
                .allMatch(
                        result -> result.answer() != Answer.NOT_ENOUGH_RUNS && result.answer() != Answer.NOT_IN_EFFECT);
        return isAnswered ? ExitCode.OK : ExitCode.UNKNOWN;
    }

    private List<Arm> ownArms() {
        List<Arm> parsed =
                arms.stream().map(text -> parsed(() -> Arm.parse(text))).toList();
        Set<String> names = new HashSet<>();
        parsed.stream().filter(arm -> !names.add(arm.name())).findFirst().ifPresent(twice -> {
            throw wrong("two arms have the name " + twice.name());
        });
        return parsed;
    }

    /** Reports the arms that ran in the last round: the control runs in every one. */
    private void report(List<ArmResult> results) {
        int round = results.get(0).samples().size();
        results.stream()
                .filter(result -> !result.arm().equals(Arm.CONTROL))
                .filter(result -> result.samples().size() == round)
                .map(TunedArm::of)
                .forEach(arm -> terminal.err()
                        .println("round " + round + "  " + arm.name() + "  " + arm.effectText() + "  " + arm.answer()));
    }

    private void print(BenchTask task, List<TunedArm> tuned) {
        terminal.out().println(task.label() + ": " + task.summary() + "; events/s, medians");
        Table table = new Table(
                terminal,
                terminal.out(),
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT,
                Align.LEFT,
                Align.LEFT,
                Align.RIGHT,
                Align.RIGHT);
        table.head("arm", "runs", "events/s", "against the default", "answer", "memory", "start");
        tuned.forEach(arm -> table.row(arm.cells()));
        table.print();
        terminal.out().println();
        tuned.stream().filter(arm -> !arm.settings().isEmpty()).forEach(this::printProof);
    }

    private void printProof(TunedArm arm) {
        arm.inEffect().forEach(line -> terminal.out().println("  " + arm.name() + ": " + line));
        arm.missing().forEach(line -> terminal.out().println("  " + arm.name() + ": NOT IN EFFECT: " + line));
    }

    private void list() {
        Table table = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT).indent(0);
        table.head("benchmark", "");
        Arrays.stream(BenchTask.values()).forEach(task -> table.row(task.label(), task.summary()));
        table.print();
        terminal.out().println();
        Table ready = new Table(terminal, terminal.out(), Align.LEFT, Align.LEFT).indent(0);
        ready.head("experiment", "");
        Arrays.stream(Experiment.values()).forEach(one -> ready.row(one.label(), one.summary()));
        ready.print();
    }

    private <T> T parsed(Supplier<T> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
