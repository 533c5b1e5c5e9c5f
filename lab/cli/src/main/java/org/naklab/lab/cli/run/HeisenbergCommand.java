package org.naklab.lab.cli.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cli.hunt.HuntOptions;
import org.naklab.lab.cli.hunt.KeptRuns;
import org.naklab.lab.cli.hunt.RunFiles;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.experiment.Answer;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.experiment.DefaultRuns;
import org.naklab.lab.scenarios.experiment.ShareDifference;
import org.naklab.lab.scenarios.experiment.WilsonInterval;
import org.naklab.lab.terminal.Converters;
import org.naklab.lab.terminal.ExitCode;
import org.naklab.lab.terminal.JsonOption;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.Version;
import org.naklab.lab.terminal.network.NetworkOptions;
import org.naklab.lab.terminal.runs.FirstSeedOption;
import org.naklab.lab.terminal.runs.PageOption;
import org.naklab.lab.tools.tune.Arm;
import org.naklab.lab.tools.tune.CommandMeasurement;
import org.naklab.lab.tools.tune.Setting;
import org.naklab.lab.tools.tune.command.ArmComparer;
import org.naklab.lab.tools.tune.command.Comparison;
import org.naklab.lab.tools.tune.command.ScenarioMeasurement;
import org.naklab.lab.tools.tune.command.ScenarioOptions;
import org.naklab.lab.tools.tune.command.TunePage;
import org.naklab.lab.tools.tune.command.TunedArm;
import org.naklab.lab.tools.tune.observer.ObservationLevel;
import org.naklab.lab.tools.tune.workload.Metric;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code naklab heisenberg}: {@code naklab tune} with the levels of instruments as arms, and the service's NAKs, or the exit code of a program, as the figure. */
@Command(
        name = "heisenberg",
        description = {
            "Ask whether looking changes how often it happens: run a scenario with the same seeds with no, normal and full instruments, or any program with six "
                    + "levels of observation, and compare how many runs hit.",
            "",
            "A run hits if its service sent a NAK, which the service counts by itself, or if the program ends with exit code 1. The shares have 95 %% intervals (Wilson), and so has the difference "
                    + "from the runs without instruments (Newcombe). The levels run in turns. 'naklab tune SCENARIO --figure nak' does the same for levels of your choice,"
                    + " and 'naklab tune --figure exit -- COMMAND' of a program."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  naklab heisenberg mystery --repeat 10",
            "  naklab heisenberg baseline --repeat 3 --rate 2000 --duration 1.5",
            "  naklab heisenberg --repeat 20 -- ./test-that-fails-now-and-then",
            "",
            "Exit codes: 0 all levels have an answer, 2 there are not enough runs for one."
        })
public final class HeisenbergCommand implements Callable<Integer> {
    private static final double PERCENT = 100;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "SCENARIO|-- COMMAND",
            description = "A scenario from 'naklab list', or, behind '--', a program with its arguments.")
    private List<String> task = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "10",
            converter = Converters.Count.class,
            description = "Rounds; in each, every level runs once with the same seed (default: ${DEFAULT-VALUE}).")
    private int repeat;

    @Mixin
    private FirstSeedOption firstSeed;

    @Option(
            names = "--margin",
            paramLabel = "POINTS",
            defaultValue = "20",
            description = "Differences within so many percentage points are none (default: ${DEFAULT-VALUE}).")
    private double marginPoints;

    @Mixin
    private ScenarioOptions ofScenario;

    @Option(
            names = "--keep-disk",
            paramLabel = "SIZE",
            defaultValue = "5GB",
            converter = HuntOptions.SizeConverter.class,
            description =
                    "The space for the directories of the runs, such as 500MB or 5GB; journals go first, then the oldest "
                            + "runs (default: ${DEFAULT-VALUE}).")
    private long keptBytes;

    @Mixin
    private PageOption page;

    @Mixin
    private NetworkOptions network;

    @Mixin
    private JsonOption json;

    /** Creates the command. */
    public HeisenbergCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * The document of {@code --json}.
     *
     * @param fidelity {@code null}: a program has none
     * @param margin 0 to 1
     */
    private record Document(
            String scenario, @Nullable Fidelity fidelity, double margin, String answer, List<LevelDocument> levels) {}

    /** A level of the document; shares are 0 to 1. */
    private record LevelDocument(
            String level,
            @JsonUnwrapped Share share,
            @JsonUnwrapped Difference against,
            Answer answer,
            double p999Us) {
        private record Share(int hits, int runs, double low, double high) {}

        private record Difference(double difference, double differenceLow, double differenceHigh) {}

        static LevelDocument of(TunedArm level, TunedArm reference) {
            WilsonInterval share = shareOf(level);
            ShareDifference difference = ShareDifference.of(share, shareOf(reference));
            Answer answer = level.answer();
            return new LevelDocument(
                    level.name(),
                    new Share(share.hits(), share.trials(), share.low(), share.high()),
                    new Difference(difference.value(), difference.low(), difference.high()),
                    answer == null ? Answer.REFERENCE : answer,
                    level.p999Us());
        }

        private static WilsonInterval shareOf(TunedArm level) {
            return Objects.requireNonNull(level.outcome().share());
        }
    }

    @Override
    public Integer call() throws Exception {
        ParseResult given = Objects.requireNonNull(spec).commandLine().getParseResult();
        boolean isOfProgram = given.originalArgs().contains("--");
        Scenario scenario = isOfProgram ? null : scenario();
        if (isOfProgram && ScenarioOptions.NAMES.stream().anyMatch(given::hasMatchedOption)) {
            throw new UsageException(String.join(", ", ScenarioOptions.NAMES) + " are no options of a program");
        }
        Fidelity fidelity = scenario == null ? null : ofScenario.fidelity(scenario);
        if (!(marginPoints > 0 && marginPoints < PERCENT)) {
            throw new UsageException("--margin is between 0 and 100 percentage points");
        }
        page.check();
        Comparison comparison = scenario == null ? compareProgram() : compare(scenario);
        List<TunedArm> levels = comparison.arms();
        String answer = levels.stream()
                .filter(level -> level.answer() != null)
                .map(level -> "with " + level.name() + (isOfProgram ? ": " : " instruments: ") + level.answer())
                .collect(Collectors.joining("; "));
        if (json.isGiven()) {
            json.print(
                    terminal,
                    new Document(
                            comparison.name(),
                            fidelity,
                            comparison.margin(),
                            answer,
                            levels.stream()
                                    .map(level -> LevelDocument.of(level, levels.get(0)))
                                    .toList()));
        } else {
            terminal.printHanging(terminal.out(), "  ", answer);
        }
        page.write(terminal, "heisenberg", comparison.name(), file -> TunePage.write(file, List.of(comparison)));
        return comparison.isAnswered() ? ExitCode.OK : ExitCode.UNKNOWN;
    }

    private Comparison compare(Scenario scenario) throws InterruptedException {
        List<Arm> levels = ScenarioMeasurement.checked(
                arms(Stream.of(InstrumentLevel.values()).map(InstrumentLevel::label)));
        KeptRuns kept = new KeptRuns(keptBytes, new RunFiles() {});
        try (NetworkOptions locked = network;
                ScenarioMeasurement runs = new ScenarioMeasurement(
                        scenario,
                        ofScenario,
                        Metric.HITS,
                        new DefaultRuns(locked::channels, page.runsDirectory(), Version.current()),
                        kept::addHit)) {
            return compare(scenario.name(), runs.target(), levels, Map.of());
        }
    }

    private Comparison compareProgram() throws InterruptedException {
        Map<String, String> leftOut = new TreeMap<>();
        ObservationLevel.OF_ANY_PROGRAM.forEach(level -> leftOut.put(level.label(), level.whyNot()));
        leftOut.values().removeIf(String::isEmpty);
        List<Arm> levels = arms(ObservationLevel.OF_ANY_PROGRAM.stream()
                .map(ObservationLevel::label)
                .filter(level -> !leftOut.containsKey(level)));
        return compare(
                String.valueOf(Path.of(task.get(0)).getFileName()),
                ArmComparer.Target.ofExits(CommandMeasurement.of(task, "exit")),
                levels,
                leftOut);
    }

    private Comparison compare(String name, ArmComparer.Target target, List<Arm> levels, Map<String, String> leftOut)
            throws InterruptedException {
        return new ArmComparer(terminal, !json.isGiven(), repeat, marginPoints / PERCENT, firstSeed.seed())
                .compare(name, target, levels.get(0), levels.subList(1, levels.size()), leftOut);
    }

    private static List<Arm> arms(Stream<String> levels) {
        return levels.map(level -> new Arm(level, List.of(new Setting.Observed(level))))
                .toList();
    }

    private Scenario scenario() {
        if (task.size() > 1) {
            throw new UsageException(
                    "'" + task.get(1) + "' is too much: a program with its arguments comes behind '--'");
        }
        String name = task.get(0);
        return Scenarios.find(name)
                .orElseThrow(() -> new UsageException("no scenario '" + name + "'; see 'naklab list'"));
    }
}
