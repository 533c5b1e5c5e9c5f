package org.naklab.lab.campaign;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;

/**
 * Everything that decides the seeds of a campaign and how each is run. Two processes that are given the same plan divide the same work.
 */
public record CampaignPlan(
        @JsonUnwrapped Grid grid,
        @JsonUnwrapped Options options,
        @JsonUnwrapped Execution execution) {
    /**
     * Describes the runs.
     *
     * @param scenarios names
     * @param arms labels of remedies, run with the same seeds
     * @param blocks instead of arms that take turns; empty: arms take turns
     */
    public record Grid(List<String> scenarios, List<String> arms, long firstSeed, long lastSeed, List<Block> blocks) {
        public Grid {
            scenarios = List.copyOf(scenarios);
            arms = List.copyOf(arms);
            blocks = List.copyOf(blocks);
            if (lastSeed < firstSeed || lastSeed - firstSeed >= MAX_SEEDS) {
                throw new UsageException("--seeds is A..B with A <= B and at most " + MAX_SEEDS + " seeds, not "
                        + firstSeed + ".." + lastSeed);
            }
            if (scenarios.isEmpty() || arms.isEmpty()) {
                throw new UsageException("a campaign needs at least one scenario and one arm");
            }
        }
    }

    /**
     * Contains the options of each run.
     *
     * @param swarm each seed leaves a random half of the faults out
     * @param faults added to each run, as of {@code naklab run --fault}
     * @param runOptions further options of each run
     * @param fidelity of scenarios that make a stall; {@code null}: each scenario's strongest
     */
    public record Options(
            boolean swarm,
            List<String> faults,
            List<String> runOptions,
            @Nullable String fidelity) {
        public Options {
            faults = List.copyOf(faults);
            runOptions = List.copyOf(runOptions);
        }
    }

    /**
     * Tells how the runs are started, and when they end.
     *
     * @param untilDecided a scenario ends as soon as a sequential test has shown that its two arms differ
     * @param exclusive the campaign has each machine to itself
     * @param rehearsal share of seeds that fail; {@code null}: seeds are really run
     */
    public record Execution(
            boolean untilDecided,
            boolean exclusive,
            @Nullable Double rehearsal) {}

    /** The largest number of seeds. */
    public static final long MAX_SEEDS = 10_000_000;

    private static final int NAME_DIGITS = 6;

    /**
     * A part of the work that ends before the next begins.
     *
     * @param cells all of them run with each seed
     */
    public record Step(List<Cell> cells, List<Long> seeds) {
        long trials() {
            return (long) cells.size() * seeds.size();
        }
    }

    /**
     * Checks that this machine knows the scenarios, and that each can be run with each arm.
     *
     * @throws UsageException one does not
     */
    public void check() {
        if (isMatrix()) {
            checkMatrix();
            return;
        }
        for (String name : grid.scenarios()) {
            Scenario scenario = Scenarios.find(name)
                    .orElseThrow(
                            () -> new UsageException("no scenario is called '" + name + "'; 'naklab list' has them"));
            Set<String> known = new LinkedHashSet<>();
            scenario.remedies().forEach(remedy -> known.add(remedy.label()));
            for (Cell cell : cells()) {
                if (!known.contains(cell.arm())) {
                    throw new UsageException(
                            name + " has no arm '" + cell.arm() + "'; there are: " + String.join(", ", known));
                }
            }
        }
        if (execution.untilDecided()
                && (grid.arms().size() != 2 || !grid.blocks().isEmpty())) {
            throw new UsageException("--until-decided compares two arms: name them with --arms, without --blocks");
        }
        boolean isOfOwnMachine = Fidelity.EVICTED.label().equals(options.fidelity())
                || Fidelity.NATURAL.label().equals(options.fidelity());
        if (isOfOwnMachine && !execution.exclusive()) {
            throw new UsageException("fidelity " + options.fidelity()
                    + " needs machines that run nothing else: add --exclusive, or" + " choose simulated or audited");
        }
    }

    /** Returns whether the campaign runs the project's own matrix, a part with each seed. */
    public boolean isMatrix() {
        return grid.scenarios().contains(MatrixRunner.SCENARIO);
    }

    private void checkMatrix() {
        if (grid.scenarios().size() > 1
                || grid.firstSeed() != 1
                || !grid.arms().equals(List.of("none"))
                || !grid.blocks().isEmpty()
                || !options.faults().isEmpty()
                || !options.runOptions().isEmpty()) {
            throw new UsageException(
                    "--matrix runs the parts of the matrix and nothing else: leave out --scenario, --arms,"
                            + " --blocks, --fault and options of runs, and give the number of the parts with --seeds N");
        }
    }

    /** Returns the usual name of a campaign: the same for the same plan. */
    public String usualName() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(Json.line(this).getBytes(StandardCharsets.UTF_8));
            return grid.scenarios().get(0) + "-"
                    + HexFormat.of().formatHex(hash).substring(0, NAME_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns all that is run with some seed, without the canary. */
    public List<Cell> cells() {
        List<String> used = grid.blocks().isEmpty()
                ? grid.arms()
                : grid.blocks().stream().map(Block::arm).distinct().toList();
        return grid.scenarios().stream()
                .flatMap(scenario -> used.stream().map(arm -> new Cell(scenario, arm)))
                .toList();
    }

    /**
     * Returns the work in its order, the canary first.
     *
     * @param corpus seeds that failed earlier; they are run before the others
     */
    List<Step> steps(List<Long> corpus) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(List.of(Cell.CANARY), List.of(grid.firstSeed())));
        if (grid.blocks().isEmpty()) {
            Set<Long> seeds = new LinkedHashSet<>(corpus);
            LongStream.rangeClosed(grid.firstSeed(), grid.lastSeed()).forEach(seeds::add);
            steps.add(new Step(cells(), List.copyOf(seeds)));
            return steps;
        }
        long next = grid.firstSeed();
        for (Block block : grid.blocks()) {
            List<Cell> cells = grid.scenarios().stream()
                    .map(scenario -> new Cell(scenario, block.arm()))
                    .toList();
            steps.add(new Step(
                    cells, LongStream.range(next, next + block.seeds()).boxed().toList()));
            next += block.seeds();
        }
        return steps;
    }
}
