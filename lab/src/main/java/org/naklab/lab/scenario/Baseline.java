package org.naklab.lab.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.diagnose.Cause;
import org.naklab.lab.process.ArrivalPattern;

/** The healthy service: every event that is published is received, applied and journaled once and in order. */
public final class Baseline implements Scenario {
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

    @Override
    public Map<Cause, Fidelity> causes() {
        return Map.of(Cause.CLEAN, Fidelity.NONE);
    }

    @Override
    public List<Condition> check(RunOutcome outcome) {
        List<Condition> conditions = new ArrayList<>(Completeness.check(outcome));
        if (Completeness.isFinished(outcome)) {
            outcome.subscribers()
                    .forEach(subscriber -> conditions.add(Condition.none(
                            subscriber.name() + " sent no NAK",
                            subscriber.transport().naksSent())));
            conditions.add(outcome.observation()
                    .onReceivers(Condition.none("datagrams dropped by a full socket", outcome.datagramsDropped())));
        }
        return conditions;
    }
}
