package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.diagnose.Cause;
import org.naklab.lab.process.ArrivalPattern;
import org.naklab.lab.process.ServiceReport;

/** The healthy service: every event that is published is received, applied and journaled once and in order. */
public final class Baseline implements Scenario {
    /** What the healthy service is judged by beside {@link Completeness}. */
    enum Claims implements Claim {
        NO_NAK("%s sent no NAK"),
        NO_DROPS("datagrams dropped by a full socket");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    /** As long as the other scenarios' faults wait. */
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(CauseScenario.WARM_UP_MS);
    /** Of a short flow most is counted. */
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

    @Override
    public List<Condition> check(RunOutcome outcome) {
        List<Condition> conditions = new ArrayList<>(Completeness.check(outcome));
        if (Completeness.isFinished(outcome)) {
            outcome.deployed().keySet().forEach(name -> conditions.add(checkNaks(name, outcome.subscriber(name))));
            conditions.add(outcome.onReceivers(Condition.none(Claims.NO_DROPS, "", outcome.datagramsDropped())));
        }
        return conditions;
    }

    private static Condition checkNaks(String name, @Nullable ServiceReport subscriber) {
        return subscriber == null
                ? Condition.unknown(Claims.NO_NAK, name, Completeness.NO_LAST_WORD)
                : Condition.none(Claims.NO_NAK, name, subscriber.transport().naksSent());
    }
}
