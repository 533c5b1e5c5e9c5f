package org.naklab.lab.campaign.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.campaign.Block;
import org.naklab.lab.campaign.CampaignPlan;
import org.naklab.lab.campaign.MatrixRunner;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.terminal.Converters;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The options that decide what a campaign runs. */
final class PlanOptions {
    @ArgGroup(multiplicity = "1")
    private Subject subject = new Subject();

    /** Names the scenarios, or the matrix. */
    static final class Subject {
        @Option(
                names = "--scenario",
                paramLabel = "S",
                required = true,
                split = ",",
                description = "A scenario from 'naklab list', or several, separated by commas.")
        private List<String> scenarios = List.of();

        @Option(
                names = "--matrix",
                required = true,
                description =
                        "The project's own long tests, in the source tree of the lab: --seeds N divides them into N "
                                + "parts, and each seed runs a part.")
        private boolean isMatrix;
    }

    @Option(
            names = "--arms",
            paramLabel = "R",
            split = ",",
            description = "Remedies that are run with the same seeds, separated by commas (default: none).")
    private List<String> arms = List.of("none");

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            defaultValue = "1..100",
            converter = SeedsConverter.class,
            description = "The seeds, from A to B; N means 1..N (default: ${DEFAULT-VALUE}).")
    private Seeds seeds;

    @Option(
            names = "--blocks",
            paramLabel = "R:N",
            split = ",",
            description = "Instead of --arms: blocks of N seeds of a remedy, one after the other in time, such as "
                    + "without:50,bind-now:50,without:20. The seeds begin with the first of --seeds.")
    private List<String> blocks = List.of();

    @Option(
            names = "--fault",
            paramLabel = "FAULT",
            description = "Add a fault to each run, as of 'naklab run --fault'; may be repeated.")
    private List<String> faults = List.of();

    @Option(
            names = "--swarm",
            description =
                    "Leave a random half of the faults out of each seed: of those of --fault, or of the kinds of a "
                            + "soak.")
    private boolean isSwarm;

    @Option(
            names = "--fidelity",
            paramLabel = "F",
            description = "How realistic stalls are: simulated or audited; with --exclusive also evicted or natural "
                    + "(default: simulated).")
    private @Nullable Fidelity fidelity;

    @Option(
            names = "--until-decided",
            description =
                    "With two --arms: end a scenario as soon as a sequential test has shown that its arms differ.")
    private boolean isUntilDecided;

    @Option(
            names = "--exclusive",
            description = "Each machine runs nothing else. Without it, the campaign says nothing about latency.")
    private boolean isExclusive;

    @Option(
            names = "--rehearse",
            paramLabel = "P",
            converter = Converters.Probability.class,
            description =
                    "Run nothing: compute each verdict from its seed, so that this share of the seeds fails, such as "
                            + "0.05. Tries an engine and a database within seconds.")
    private @Nullable Double rehearsal;

    @Parameters(
            paramLabel = "RUN_OPTION",
            arity = "0..*",
            description = "After '--': further options of each run, such as -- --duration 5.")
    private List<String> runOptions = List.of();

    /** The first and the last seed. */
    record Seeds(long first, long last) {}

    /** Returns the plan; not checked against what this machine can run. */
    CampaignPlan plan() {
        List<Block> parsed = blocks.stream().map(Block::of).toList();
        long first = seeds.first();
        long last = parsed.isEmpty()
                ? seeds.last()
                : first + parsed.stream().mapToLong(Block::seeds).sum() - 1;
        return new CampaignPlan(
                new CampaignPlan.Grid(scenarios(), arms, first, last, parsed),
                new CampaignPlan.Options(isSwarm, faults, runOptions, fidelityLabel()),
                new CampaignPlan.Execution(isUntilDecided, isExclusive, rehearsal));
    }

    private List<String> scenarios() {
        return subject.isMatrix ? List.of(MatrixRunner.SCENARIO) : subject.scenarios;
    }

    private @Nullable String fidelityLabel() {
        if (fidelity != null) {
            return fidelity.label();
        }
        if (subject.isMatrix) {
            return null;
        }
        boolean hasStall = subject.scenarios.stream()
                .flatMap(name -> Scenarios.find(name).stream())
                .map(Scenario::fidelities)
                .allMatch(all -> all.contains(Fidelity.SIMULATED));
        return hasStall ? Fidelity.SIMULATED.label() : null;
    }

    /** Returns the options that give this plan again, those of the runs last. */
    static List<String> words(CampaignPlan plan) {
        List<String> words = new ArrayList<>();
        words.addAll(
                plan.isMatrix()
                        ? List.of("--matrix")
                        : List.of(
                                "--scenario",
                                String.join(",", plan.grid().scenarios()),
                                "--arms",
                                String.join(",", plan.grid().arms())));
        words.addAll(
                List.of("--seeds", plan.grid().firstSeed() + ".." + plan.grid().lastSeed()));
        if (!plan.grid().blocks().isEmpty()) {
            words.add("--blocks");
            words.add(String.join(
                    ",",
                    plan.grid().blocks().stream()
                            .map(block -> block.arm() + ":" + block.seeds())
                            .toList()));
        }
        plan.options().faults().forEach(fault -> words.addAll(List.of("--fault", fault)));
        if (plan.options().swarm()) {
            words.add("--swarm");
        }
        if (plan.options().fidelity() != null) {
            words.addAll(List.of("--fidelity", plan.options().fidelity()));
        }
        if (plan.execution().untilDecided()) {
            words.add("--until-decided");
        }
        if (plan.execution().exclusive()) {
            words.add("--exclusive");
        }
        if (plan.execution().rehearsal() != null) {
            words.addAll(List.of(
                    "--rehearse",
                    plan.execution().rehearsal() == 0
                            ? "0"
                            : String.valueOf(plan.execution().rehearsal())));
        }
        return words;
    }

    /** Seeds are {@code A..B}, or {@code N} for 1 to N. */
    static final class SeedsConverter implements ITypeConverter<Seeds> {
        private static final Pattern RANGE = Pattern.compile("(?:(\\d{1,18})\\.\\.)?(\\d{1,18})");

        @Override
        public Seeds convert(String text) {
            Matcher range = RANGE.matcher(text);
            if (!range.matches()) {
                throw new TypeConversionException("'" + text + "' is no range of seeds; write A..B, such as 1..5000");
            }
            long last = Long.parseLong(range.group(2));
            Seeds seeds = new Seeds(range.group(1) == null ? 1 : Long.parseLong(range.group(1)), last);
            if (seeds.last() < seeds.first()) {
                throw new UsageException("--seeds " + text + " has no seed: A must not be larger than B");
            }
            return seeds;
        }
    }
}
