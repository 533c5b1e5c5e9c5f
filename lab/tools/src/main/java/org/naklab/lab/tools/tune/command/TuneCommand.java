package org.naklab.lab.tools.tune.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.description.Spelling;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.KilledLabs;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.PageOption;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.BenchMeasurement;
import org.naklab.lab.tools.tune.BenchTask;
import org.naklab.lab.tools.tune.CommandMeasurement;
import org.naklab.lab.tools.tune.Experiment;
import org.naklab.lab.tools.tune.ExperimentArms;
import org.naklab.lab.tools.tune.SeparateBench;
import org.naklab.lab.tools.tune.Setting;
import org.naklab.lab.tools.tune.Tuning;
import org.naklab.lab.tools.tune.observer.ObservationLevel;
import org.naklab.lab.tools.tune.workload.Metric;
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
            "Change one thing and measure what it does: run a scenario, a benchmark or any program with each arm in turns, until it is known whether the arm helps, makes no difference or hurts.",
            "",
            "Each run is a new JVM. The runs of an arm are compared with those of the arm 'default', which changes nothing, by the ratios of runs that"
                    + " followed each other. The interval of the effect holds however often one looks at it: an arm ends as soon as it has its answer. Every"
                    + " setting is looked for in the measured process; kernel settings are put back however the command ends. Of a scenario, flags and variables are those of the service."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "An arm is NAME=SETTINGS. Settings are flags of the JVM (-XX:+UseTransparentHugePages), variables (LD_PRELOAD=FILE), kernel parameters"
                    + " (sysctl:vm.nr_hugepages=640), files (file:/sys/block/vda/queue/read_ahead_kb=128), and of a benchmark also limits (limit:nofile=512) and"
                    + " processors (cpus:quota=1.5, cpus:set=0), or of its memory (memory:limit=256m), and of a scenario its instruments (observe:none, observe:full), separated by spaces. Values with spaces are quoted. Of a program, flags come behind its"
                    + " name, and limits, processors and memory may be set as well, and what observes it (observe:proc, records, stacks, trace, calls, jfr).",
            "",
            "Examples:",
            "  naklab tune --list",
            "  naklab tune --experiment pages",
            "  naklab tune --all --html tune.html",
            "  naklab tune book --arm thp=-XX:+UseTransparentHugePages",
            "  naklab tune baseline --duration 5s --arm thp=-XX:+UseTransparentHugePages",
            "  naklab tune mystery --figure nak --arm full=observe:full",
            "  naklab tune --arm near=LD_PRELOAD=/usr/lib/libjemalloc.so -- ./program -x",
            "  naklab tune --figure 'took ([0-9.]+) ms' --arm one=cpus:set=0 -- ./program",
            "  naklab tune append --arm 'near=file:/sys/block/vda/queue/read_ahead_kb=4'",
            "",
            "A run that fails is counted and left out of the comparison, with its reason.",
            "",
            "Exit codes: 0 every arm has an answer, 2 an arm has not enough runs, was not in effect or failed, 69 this machine can run no arm."
        })
public final class TuneCommand implements Callable<Integer> {
    private static final double PERCENT = 100;

    private static final List<String> NOT_OF_SCENARIOS = List.of("--higher-is-better");
    private static final List<String> NOT_OF_BENCHMARKS = Stream.concat(
                    ScenarioOptions.NAMES.stream(), Stream.of("--figure", "--higher-is-better"))
            .toList();

    private static final String OF_LATENCY = "latency";
    private static final String OF_NAKS = "nak";

    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "SCENARIO|BENCH|-- COMMAND",
            description =
                    "What each arm runs: a scenario of 'naklab list', a benchmark of --list, or, behind '--', a program with its arguments.")
    private List<String> task = List.of();

    @Option(
            names = "--figure",
            paramLabel = "FIGURE",
            description =
                    "What is compared. Of a program: wall time (wall, the default), processor time (cpu), how many runs end with exit code 1 (exit), or the number in the first parentheses of a regular "
                            + "expression, in the last line of its output in which it is found. Of a scenario: latency (the default), or how often a run has a NAK of the service (nak).")
    private @Nullable String figure;

    @Option(names = "--higher-is-better", description = "A higher number in the output is the better one.")
    private boolean isHigherBetter;

    @Option(names = "--arm", paramLabel = "NAME=SETTINGS", description = "An arm; may be repeated.")
    private List<String> arms = new ArrayList<>();

    @Option(names = "--experiment", paramLabel = "NAME", description = "A ready-made comparison; see --list.")
    private @Nullable String experiment;

    @Option(
            names = "--all",
            description = "Run every ready-made comparison that this machine can run, and end with one table.")
    private boolean isAll;

    @Option(names = "--list", description = "List the benchmarks and the ready-made comparisons; run nothing.")
    private boolean isList;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "" + Tuning.DEFAULT_ROUNDS,
            converter = Converters.Count.class,
            description = "Most runs per arm (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--measurements",
            paramLabel = "N",
            defaultValue = "3",
            converter = Converters.Count.class,
            description =
                    "Measurements in each run of a benchmark; the run is their median (default: ${DEFAULT-VALUE}).")
    private int measurements;

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
            description = "Events per measurement of book, append, journal and pipeline (default: ${DEFAULT-VALUE}).")
    private int events;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "Seed of the first run; the runs of one round have the same (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private ScenarioOptions ofScenario;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private PageOption page;

    @Mixin
    private JsonOption json;

    /** Creates the command. */
    public TuneCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The document of {@code --json}. */
    private record Document(
            String task, String metric, double margin, List<TunedArm> arms, Map<String, String> leftOut) {
        static Document of(Comparison one) {
            return new Document(one.name(), one.metric().unit(), one.margin(), one.arms(), one.leftOut());
        }
    }

    /** The document of {@code --all --json}. */
    private record Documents(List<Document> comparisons) {}

    @Override
    public Integer call() throws Exception {
        if (isList) {
            new TuneTables(terminal).list();
            return ExitCode.OK;
        }
        if (!(marginPercent > 0 && marginPercent < PERCENT)) {
            throw wrong("--margin is a percentage between 0 and 100");
        }
        page.check();
        KilledLabs.undo(terminal.err());
        List<Comparison> comparisons = isAll ? compareAll() : List.of(compareOne());
        if (json.isGiven()) {
            List<Document> documents = comparisons.stream().map(Document::of).toList();
            json.print(terminal, isAll ? new Documents(documents) : documents.get(0));
        } else if (isAll) {
            new TuneTables(terminal).summarize(comparisons);
        }
        page.write(
                terminal, "tune", isAll ? "all" : comparisons.get(0).name(), file -> TunePage.write(file, comparisons));
        return comparisons.stream().allMatch(Comparison::isAnswered) ? ExitCode.OK : ExitCode.UNKNOWN;
    }

    private List<Comparison> compareAll() throws InterruptedException {
        if (experiment != null || !task.isEmpty() || !arms.isEmpty()) {
            throw wrong("--all runs every experiment: omit BENCH, --arm and --experiment");
        }
        refuse("a benchmark", NOT_OF_BENCHMARKS);
        List<Comparison> comparisons = new ArrayList<>();
        for (Experiment ready : Experiment.values()) {
            comparisons.add(compare(ready));
        }
        return comparisons;
    }

    private Comparison compareOne() throws InterruptedException {
        String wanted = experiment;
        if (wanted == null) {
            if (task.isEmpty()) {
                throw wrong("name a scenario, a benchmark (" + String.join(", ", BenchTask.labels())
                        + "), --experiment NAME, --all, or a program behind '--'; see --list");
            }
            return isOfProgram() ? compareProgram() : compareNamed(name());
        }
        if (!task.isEmpty() || !arms.isEmpty()) {
            throw wrong("--experiment has a benchmark and arms of its own: omit BENCH and --arm");
        }
        refuse("a benchmark", NOT_OF_BENCHMARKS);
        SeparateBench.of(wanted).ifPresent(separate -> {
            throw wrong(wanted + " has a command of its own: " + Program.name() + " " + separate.command());
        });
        Comparison comparison = compare(known("no experiment", wanted, experiments(), Experiment::of));
        if (comparison.arms().isEmpty()) {
            throw new UnavailableException("this machine can run no arm of " + wanted + ": "
                    + new TreeMap<>(comparison.leftOut())
                            .entrySet().stream()
                                    .map(entry -> entry.getKey() + ": " + entry.getValue())
                                    .collect(Collectors.joining("; ")));
        }
        return comparison;
    }

    /** Behind {@code --}, a name is that of a program, whatever scenario is called so. */
    private boolean isOfProgram() {
        List<String> given =
                Objects.requireNonNull(spec).commandLine().getParseResult().originalArgs();
        return given.contains("--");
    }

    private String name() {
        if (task.size() > 1) {
            throw wrong("'" + task.get(1) + "' is too much: a program with its arguments comes behind '--'");
        }
        return task.get(0);
    }

    private Comparison compareNamed(String name) throws InterruptedException {
        if (Scenarios.find(name).isPresent()) {
            refuse("a scenario", NOT_OF_SCENARIOS);
            return compare(Scenarios.find(name).orElseThrow());
        }
        BenchTask benchmark = known("no scenario and no benchmark", name, tasks(), BenchTask::of);
        refuse("a benchmark", NOT_OF_BENCHMARKS);
        return compare(name, benchmark(benchmark), ownArms(), Map.of());
    }

    /** Refuses options that are of another kind of task: they would change nothing, and nobody would be told. */
    private void refuse(String kind, List<String> others) {
        others.stream()
                .filter(Objects.requireNonNull(spec).commandLine().getParseResult()::hasMatchedOption)
                .findFirst()
                .ifPresent(option -> {
                    throw wrong(option + " is not an option of " + kind);
                });
    }

    private Comparison compareProgram() throws InterruptedException {
        refuse("a program", ScenarioOptions.NAMES);
        CommandMeasurement measurement = parsed(() -> CommandMeasurement.of(task, figure == null ? "wall" : figure));
        if (isHigherBetter && measurement.by() != CommandMeasurement.By.PRINTED) {
            throw wrong("--higher-is-better is for a number in the output: give --figure a regular expression");
        }
        ArmComparer.Target target =
                switch (measurement.by()) {
                    case WALL ->
                        new ArmComparer.Target("the wall time of the program", Metric.MILLISECONDS, measurement);
                    case CPU ->
                        new ArmComparer.Target("the processor time of the program", Metric.MILLISECONDS, measurement);
                    case PRINTED ->
                        new ArmComparer.Target(
                                "the number that the program prints",
                                isHigherBetter ? Metric.HIGH_FIGURE : Metric.LOW_FIGURE,
                                measurement);
                    case EXIT -> ArmComparer.Target.ofExits(measurement);
                };
        List<Arm> compared = ownArms();
        compared.stream()
                .flatMap(arm -> arm.observed().stream())
                .map(word -> parsed(() -> ObservationLevel.of(word)))
                .filter(level -> !level.whyNot().isEmpty())
                .findFirst()
                .ifPresent(level -> {
                    throw new UnavailableException(
                            Setting.OBSERVE + level.label() + " is not available here: " + level.whyNot());
                });
        return compare(String.valueOf(Path.of(task.get(0)).getFileName()), target, compared, Map.of());
    }

    private Comparison compare(Experiment ready) throws InterruptedException {
        ExperimentArms chosen = ready.arms();
        return compare(ready.label(), benchmark(ready.task()), chosen.possible(), chosen.leftOut());
    }

    private ArmComparer.Target benchmark(BenchTask task) {
        return new ArmComparer.Target(task.summary(), task.metric(), new BenchMeasurement(task, events, measurements));
    }

    private Comparison compare(Scenario scenario) throws InterruptedException {
        scenario.obstacle().ifPresent(why -> {
            throw new UnavailableException(scenario.name() + " cannot run here: " + why);
        });
        List<Arm> compared = ownArms();
        compared.stream()
                .flatMap(arm -> arm.ofBenchmarksOnly().stream())
                .findFirst()
                .ifPresent(setting -> {
                    throw wrong(setting
                            + " is a setting of benchmarks: a scenario has flags, variables, sysctl: and file:");
                });
        if (figure != null && !List.of(OF_LATENCY, OF_NAKS).contains(figure)) {
            throw wrong("'" + figure + "' is no figure of a scenario: use latency or nak");
        }
        ScenarioMeasurement.checked(compared);
        Metric metric = OF_NAKS.equals(figure) ? Metric.HITS : Metric.MICROSECONDS;
        try (NetworkOptions locked = network;
                ScenarioMeasurement runs = new ScenarioMeasurement(
                        scenario,
                        ofScenario,
                        metric,
                        new DefaultRuns(locked::channels, page.runsDirectory(), Version.current()),
                        run -> {})) {
            return compare(scenario.name(), runs.target(), compared, Map.of());
        }
    }

    private Comparison compare(String name, ArmComparer.Target target, List<Arm> compared, Map<String, String> leftOut)
            throws InterruptedException {
        if (target.measurement() instanceof BenchMeasurement
                && compared.stream().anyMatch(arm -> arm.observed().isPresent())) {
            throw wrong(Setting.OBSERVE + " is a setting of scenarios and programs: nothing observes a benchmark");
        }
        return new ArmComparer(terminal, !json.isGiven(), rounds, marginPercent / PERCENT, seed)
                .compare(name, target, Arm.CONTROL, compared, leftOut);
    }

    private List<Arm> ownArms() {
        List<Arm> parsed =
                arms.stream().map(text -> parsed(() -> Arm.parse(text))).toList();
        if (parsed.isEmpty()) {
            throw wrong("there is no arm to compare with the default: give at least one --arm NAME=SETTINGS");
        }
        Set<String> names = new HashSet<>();
        parsed.stream().filter(arm -> !names.add(arm.name())).findFirst().ifPresent(twice -> {
            throw wrong("two arms have the name " + twice.name());
        });
        return parsed;
    }

    private <T> T known(String none, String word, List<String> words, Function<String, T> find) {
        if (!words.contains(word)) {
            throw wrong(none + " '" + word + "'" + Spelling.hint(word, words));
        }
        return find.apply(word);
    }

    private static List<String> tasks() {
        return Stream.concat(Scenarios.all().stream().map(Scenario::name), BenchTask.labels().stream())
                .toList();
    }

    private static List<String> experiments() {
        return Arrays.stream(Experiment.values()).map(Experiment::label).toList();
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
