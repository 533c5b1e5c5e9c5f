package org.naklab.lab.scenarios.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.When;
import org.naklab.lab.core.UsageException;

/**
 * Draws the fault plan of a soak from a seed. All kinds come up equally often, in an order of chance; faults of different kinds overlap. Two
 * of one kind on one process do not: each would undo the other. The same seed and duration give the same plan, on every machine.
 */
public final class SoakPlan {
    /** Time after the warm-up without a fault, in which the processes are read, ms. */
    private static final long QUIET_FIRST_MS = 1_000;
    /** Time at the end without a fault, in which everything is repaired, ms. */
    private static final long QUIET_LAST_MS = 4_000;

    /** Between two faults of one kind on one process; both may be late on a machine that is stalled. */
    private static final long APART_MS = 500;

    private static final long LEAST_GAP_MS = 900;
    /** A plan has at most {@link FaultPlan#MAX_FAULTS}; the gaps vary. */
    private static final int MOST_FAULTS = 200;

    /** The part of the time in which the victim is killed, so that it takes other faults before. */
    private static final double KILLED_FROM = 0.6;

    private static final long SHORTEST_MS = 15_000;

    private final Random random;
    private final long endMs;
    private final long killMs;
    private final List<FaultSpec> faults = new ArrayList<>();

    private SoakPlan(long seed, long durationNs) {
        random = new Random(scrambled(seed));
        endMs = TimeUnit.NANOSECONDS.toMillis(durationNs - Soak.WARM_UP_NS) - QUIET_LAST_MS;
        killMs = QUIET_FIRST_MS + Math.round((endMs - QUIET_FIRST_MS) * (KILLED_FROM + between(0, 35) / 100.0));
    }

    /**
     * Draws a plan. Its times count from the end of the warm-up.
     *
     * @param seed decides everything
     * @param durationNs of the order flow with the warm-up, ns
     * @throws UsageException if the flow is too short for faults
     */
    public static FaultPlan of(long seed, long durationNs) {
        if (TimeUnit.NANOSECONDS.toMillis(durationNs) < SHORTEST_MS) {
            throw new UsageException("a soak lasts at least " + SHORTEST_MS / 1_000
                    + " s: faults need time to strike, and the service to recover");
        }
        SoakPlan plan = new SoakPlan(seed, durationNs);
        plan.draw();
        return new FaultPlan(seed, plan.numbered());
    }

    /**
     * Draws a plan without a random half of its kinds: kinds that are always together suppress each other. The faults of the other kinds are
     * those of {@link #of}.
     *
     * <p>Source: A. Groce et al., "Swarm Testing", ISSTA 2012.
     *
     * @throws UsageException as {@link #of}
     */
    public static FaultPlan swarm(long seed, long durationNs) {
        FaultPlan whole = of(seed, durationNs);
        List<String> kinds = new ArrayList<>(
                whole.faults().stream().map(FaultSpec::kind).distinct().sorted().toList());
        Collections.shuffle(kinds, new Random(scrambled(seed + 1)));
        return without(whole, Set.copyOf(kinds.subList(0, kinds.size() / 2)));
    }

    /** Returns the kinds of a plan that cannot be injected on this machine, each with the reason. */
    public static Map<String, String> obstacles(FaultPlan plan) {
        Map<String, String> obstacles = new TreeMap<>();
        FaultKinds kinds = FaultKinds.onClassPath();
        for (FaultSpec fault : plan.faults()) {
            kinds.named(fault.kind()).obstacle(fault).ifPresent(reason -> obstacles.put(fault.kind(), reason));
        }
        return obstacles;
    }

    /** Returns a plan without the faults of some kinds; the others stay as they are. */
    public static FaultPlan without(FaultPlan plan, Set<String> kinds) {
        return new FaultPlan(
                plan.seed(),
                plan.faults().stream()
                        .filter(fault -> !kinds.contains(fault.kind()))
                        .toList());
    }

    /** Returns the first faults of a plan. */
    public static FaultPlan prefix(FaultPlan plan, int count) {
        return new FaultPlan(plan.seed(), plan.faults().subList(0, count));
    }

    /** Returns how long the flow of a plan lasts at least, so that everything is repaired after the last fault, ns. */
    public static long shortestNs(FaultPlan plan) {
        long lastMs = plan.faults().stream()
                .mapToLong(fault -> fault.when().afterMs() + fault.forMs())
                .max()
                .orElse(0);
        return Math.max(
                TimeUnit.MILLISECONDS.toNanos(SHORTEST_MS),
                Soak.WARM_UP_NS + TimeUnit.MILLISECONDS.toNanos(lastMs + QUIET_LAST_MS));
    }

    /** Consecutive seeds must not give similar plans. */
    private static long scrambled(long seed) {
        long mixed = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    private void draw() {
        // The first yield of the process binds the symbol, so that this kind has one chance, which needs a failed
        // wake-up.
        add(QUIET_FIRST_MS, SoakFault.LAZY_BINDING);
        add(QUIET_FIRST_MS + 100, SoakFault.RATE_LIMIT_YIELD);
        add(killMs, SoakFault.PROCESS_KILL);
        long meanGapMs = Math.max(LEAST_GAP_MS, (endMs - QUIET_FIRST_MS) / MOST_FAULTS);
        List<SoakFault> deck = new ArrayList<>();
        for (long atMs = QUIET_FIRST_MS + meanGapMs;
                atMs < endMs;
                atMs += between((int) meanGapMs / 3, (int) meanGapMs * 5 / 3)) {
            if (deck.isEmpty()) {
                deck.addAll(SoakFault.repeatable());
                Collections.shuffle(deck, random);
            }
            add(atMs, deck.remove(deck.size() - 1));
        }
    }

    /** Adds a fault at that time if one of its targets is free. */
    private void add(long atMs, SoakFault kind) {
        int forMs = kind.drawForMs(this::between);
        List<String> targets = new ArrayList<>(kind.targets());
        Collections.shuffle(targets, random);
        targets.stream()
                .filter(target -> isPossible(kind.kind(), target, atMs, atMs + forMs))
                .findFirst()
                .ifPresent(
                        target -> faults.add(FaultSpec.of(kind.kind(), target, kind.parameters(this::between, target))
                                .withWhen(When.afterMs(atMs))
                                .withForMs(forMs)));
    }

    private boolean isPossible(String kind, String target, long fromMs, long toMs) {
        boolean isAlive = !target.equals(Soak.VICTIM) || kind.equals(Soak.KILL) || toMs < killMs;
        return toMs <= endMs
                && isAlive
                && faults.stream()
                        .filter(other -> other.kind().equals(kind) && other.on().equals(target))
                        .noneMatch(other -> other.when().afterMs() <= toMs + APART_MS
                                && fromMs <= other.when().afterMs() + other.forMs() + APART_MS);
    }

    /** The order of the times is that of the ids, so that a prefix of the plan is the beginning of the run. */
    private List<FaultSpec> numbered() {
        List<FaultSpec> sorted = faults.stream()
                .sorted(Comparator.comparingLong(fault -> fault.when().afterMs()))
                .toList();
        return IntStream.range(0, sorted.size())
                .mapToObj(i -> {
                    FaultSpec fault = sorted.get(i);
                    return new FaultSpec(
                            String.format("%03d-%s", i + 1, fault.kind()),
                            fault.kind(),
                            fault.on(),
                            fault.when(),
                            fault.forMs(),
                            fault.parameters());
                })
                .toList();
    }
}
