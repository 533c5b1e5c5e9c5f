package org.naklab.lab.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultProof;
import org.naklab.lab.Figures;
import org.naklab.lab.process.ChildEvent;
import org.naklab.lab.process.FaultReport;
import org.naklab.lab.process.RateLimiting;
import org.naklab.lab.process.ServiceReport;

/**
 * Whether the faults did what they are for, without which a run says nothing about a remedy. What is missing makes a verdict
 * unknown, never a failure: the prediction was not put to the test.
 */
final class MysteryProof {
    private static final String NOT_IN_PLAN = "it is not in the process's plan";

    private final RunOutcome outcome;
    private final ServiceReport service;
    private final List<Condition> conditions = new ArrayList<>();

    private MysteryProof(RunOutcome outcome, ServiceReport service) {
        this.outcome = outcome;
        this.service = service;
    }

    static List<Condition> check(RunOutcome outcome) {
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        if (service == null) {
            return List.of(new Condition("the faults gave their proof", Verdict.UNKNOWN, "the service gave none"));
        }
        MysteryProof proof = new MysteryProof(outcome, service);
        if (outcome.plan().rateLimiting() == RateLimiting.APPLICATION) {
            proof.requireLimiterSpared();
        } else {
            proof.requireLimiterTripped();
            proof.requireBind();
        }
        return List.copyOf(proof.conditions);
    }

    /** The fault lay in wait, snapshots went out, and their sender gave the limiter no cause. */
    private void requireLimiterSpared() {
        FaultReport yield = service.faults().get(MysteryFaults.YIELD);
        require("fault: the lock's holder lay in wait", yield != null && yield.armed(), explanation(yield));
        require("fault: snapshots were sent", service.snapshotsSent() > 0, Figures.count(service.snapshotsSent()));
    }

    private void requireLimiterTripped() {
        FaultReport yield = service.faults().get(MysteryFaults.YIELD);
        int hits = outcome.events(Deployment.SERVICE, "RATE_LIMIT_HIT").size();
        require("fault: the rate limit was hit", hits > 0, Figures.count(hits) + " times");
        require("fault: the wake-up failed", isFired(yield), explanation(yield));
    }

    private void requireBind() {
        if (outcome.plan().fidelity() == Fidelity.SIMULATED) {
            FaultReport parking = service.faults().get(MysteryFaults.PARKING);
            require("fault: the first yield was held up (simulated)", isFired(parking), explanation(parking));
            return;
        }
        FaultReport binding = service.faults().get(MysteryFaults.BINDING);
        boolean isAudited = outcome.plan().fidelity() == Fidelity.AUDITED;
        if (outcome.plan().fidelity() == Fidelity.NATURAL && outcome.plan().remedy() != Remedy.PRE_TOUCH) {
            requireEviction();
        }
        if (!isAudited) {
            FaultReport reads = service.faults().get(MysteryFaults.READS);
            require("fault: the budget of reads was spent", isFired(reads), explanation(reads));
        }
        switch (outcome.plan().remedy()) {
            case BIND_NOW, PRE_TOUCH -> {
                if (isAudited) {
                    requireEarlyBind();
                }
                requireYield(binding);
            }
            default -> require("fault: the symbol was bound late", isFired(binding), explanation(binding));
        }
    }

    /** By the kernel's own account of what is in memory; nobody asked it to evict anything. */
    private void requireEviction() {
        String claim = "fault: memory pressure evicted the symbol tables";
        List<ChildEvent> narrowed = outcome.events(Deployment.SERVICE, "MEMORY_NARROWED");
        if (narrowed.isEmpty()) {
            require(claim, false, "the service did not tell");
            return;
        }
        JsonNode details = narrowed.get(0).details();
        boolean isEvicted = details.path("evicted").asBoolean();
        String room = Figures.bytes(details.path("roomBytes").asLong());
        require(
                claim,
                isEvicted,
                (isEvicted ? "gone" : "still in memory") + ", with " + room + " left for the page cache");
    }

    /** The audit library saw the bind, held it up, and that was before the context thread's first yield. */
    private void requireEarlyBind() {
        List<ChildEvent> binds = outcome.events(Deployment.SERVICE, "SYMBOL_BOUND").stream()
                .filter(bind -> bind.details().path("delayed").asBoolean())
                .toList();
        List<ChildEvent> yields = outcome.events(Deployment.SERVICE, "YIELDED");
        boolean isEarly = !binds.isEmpty()
                && yields.stream().allMatch(yield -> yield.atNs() - binds.get(0).atNs() > 0);
        require(
                "fault: the symbol was bound early, and held up there",
                isEarly,
                binds.isEmpty() ? "the audit library saw no bind" : describe(binds.get(0)));
    }

    private void requireYield(@Nullable FaultReport binding) {
        long yieldNs = binding == null ? 0 : binding.proof().figure("firstYieldNs");
        require(
                "fault: the yield was made all the same",
                yieldNs > 0,
                binding != null && yieldNs > 0
                        ? "the first took " + Figures.count(yieldNs / 1_000) + " µs"
                        : explanation(binding));
    }

    private static String describe(ChildEvent bind) {
        return Figures.milliseconds(bind.details().path("durationMs").asDouble()) + " on thread "
                + bind.details().path("thread").asText();
    }

    private static boolean isFired(@Nullable FaultReport report) {
        return report != null && report.proof().fired();
    }

    private static String explanation(@Nullable FaultReport report) {
        FaultProof proof = report == null ? FaultProof.notFired(NOT_IN_PLAN) : report.proof();
        return proof.explanation();
    }

    private void require(String claim, boolean proven, String figures) {
        conditions.add(new Condition(claim, proven ? Verdict.PASS : Verdict.UNKNOWN, figures));
    }
}
