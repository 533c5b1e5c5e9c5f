package org.naklab.lab.scenarios.causes;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.exchange.ArrivalPattern;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.AddedFaults;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.NoLossChecks;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Workload;

/** The healthy service: every event that is published is received, applied and journaled once and in order. */
@AutoService(Scenario.class)
public final class Baseline implements Scenario {
    /** The claims about the healthy service in addition to {@link NoLossChecks}. */
    public enum Claims implements Claim {
        NO_NAK("%s sent no NAK"),
        NO_DROPS("datagrams dropped by sockets"),
        NO_DROPS_AT("datagrams dropped by sockets of %s");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** The warm-up, as long as the delay of the other scenarios' faults. */
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(CauseScenario.WARM_UP_MS);
    /** The warm-up's share of a short flow, most of which is counted. */
    private static final int WARM_UP_PART = 5;

    @Override
    public String name() {
        return "baseline";
    }

    @Override
    public String summary() {
        return "The healthy service: nothing missing, nothing lost, the journal verified";
    }

    @Override
    public Workload workload() {
        return new Workload(null, 8, ArrivalPattern.CONSTANT, 10_000, 0, 0, null, TimeUnit.SECONDS.toNanos(10));
    }

    /** The pace is full at once; while the JVMs compile what they run, their threads wait for each other's locks. */
    @Override
    public long warmUpNs(RunPlan plan) {
        return Math.min(WARM_UP_NS, plan.workload().durationNs() / WARM_UP_PART);
    }

    @Override
    public Map<Cause, Fidelity> causes() {
        return Map.of(Cause.CLEAN, Fidelity.NONE);
    }

    /** A fault that the user added may cost NAKs and datagrams where it reaches; everything must be repaired all the same. */
    @Override
    public List<Expectation> check(RunOutcome outcome) {
        List<Expectation> conditions = new ArrayList<>(NoLossChecks.check(outcome));
        if (NoLossChecks.isFinished(outcome)) {
            List<String> untouched = outcome.deployed().keySet().stream()
                    .filter(name -> !AddedFaults.haveReached(outcome, name))
                    .toList();
            untouched.forEach(name -> conditions.add(checkNaks(name, outcome.subscriber(name))));
            if (outcome.plan().added().isEmpty()) {
                conditions.add(outcome.onReceivers(noDrops(Claims.NO_DROPS, "", outcome.socketDrops())));
            } else {
                untouched.forEach(name -> conditions.add(
                        outcome.onSocketsOf(name, noDrops(Claims.NO_DROPS_AT, name, outcome.socketDrops(name)))));
            }
        }
        return conditions;
    }

    private static Expectation noDrops(Claims claim, String where, SocketDrops drops) {
        return drops.all() == 0
                ? Expectation.none(claim, where, 0)
                : Expectation.of(claim, where, false, Format.count(drops.all()) + ", " + drops.why());
    }

    private static Expectation checkNaks(String name, @Nullable ServiceReport subscriber) {
        return subscriber == null
                ? Expectation.unknown(Claims.NO_NAK, name, NoLossChecks.NO_FINAL_REPORT)
                : Expectation.none(
                        Claims.NO_NAK, name, subscriber.intake().transport().naksSent());
    }
}
