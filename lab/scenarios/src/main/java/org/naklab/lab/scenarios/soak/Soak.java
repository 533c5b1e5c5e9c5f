package org.naklab.lab.scenarios.soak;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.naklab.faults.FaultSpec;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;

/**
 * A sustained flow under faults that are added to it, as {@code naklab soak} does from a seed. It predicts nothing about stalls and losses;
 * at the end everything must be repaired, undone and given back.
 */
@AutoService(Scenario.class)
public final class Soak implements Scenario {
    public static final String NAME = "soak";

    /** The gateway that a fault may kill. */
    public static final String VICTIM = "gateway-2";

    static final String KILL = "process-kill";

    /** The JVMs have compiled what they run often, and the pace is full. */
    public static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);

    /** Number of instruments whose snapshots exceed the budget of the rate limit, so that faults of the limiter have an effect. */
    private static final int INSTRUMENTS = 200;

    /** Only the optimising compiler makes loops without a poll for safepoints; the last argument of the kind counts. */
    private static final String OPTIMISING_COMPILER = "-XX:TieredStopAtLevel=4";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "A sustained flow whose invariants hold at the end; 'naklab soak' adds random faults";
    }

    /** The kinds that {@code naklab soak} adds. */
    @Override
    public Set<String> faultKinds() {
        return Arrays.stream(SoakFault.values()).map(SoakFault::kind).collect(Collectors.toSet());
    }

    /** Nothing is in its way: a plan leaves out the kinds that cannot be injected here. */
    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public Workload workload() {
        return new Workload(
                null,
                INSTRUMENTS,
                ArrivalPattern.CONSTANT,
                10_000,
                0,
                TimeUnit.SECONDS.toNanos(2),
                null,
                TimeUnit.MINUTES.toNanos(1));
    }

    @Override
    public long warmUpNs(RunPlan plan) {
        return WARM_UP_NS;
    }

    @Override
    public Deployment deploy(RunPlan plan) {
        return Deployment.standard(plan)
                .with(Deployment.GATEWAY, spec -> spec.withJvmArguments(OPTIMISING_COMPILER))
                .withGateway(plan, VICTIM);
    }

    @Override
    public Set<String> victims() {
        return Set.of(VICTIM);
    }

    @Override
    public boolean isInspected() {
        return true;
    }

    @Override
    public List<Expectation> check(RunOutcome outcome) {
        Set<String> killed = killed(outcome.plan());
        List<Expectation> conditions = new ArrayList<>(NoLossChecks.checkCompleteness(outcome, killed));
        conditions.addAll(SoakInvariants.check(outcome, killed));
        return conditions;
    }

    /** Returns the subscribers that the plan kills. */
    private static Set<String> killed(RunPlan plan) {
        return plan.added().faults().stream()
                .filter(fault -> fault.kind().equals(KILL))
                .map(FaultSpec::on)
                .collect(Collectors.toSet());
    }
}
