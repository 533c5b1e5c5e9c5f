package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.process.ProcessEvent;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.messaging.publication.RateLimitMode;

/**
 * Requires that the faults had their intended effect, without which a run proves nothing about a remedy. Missing proof makes a verdict
 * unknown, never a failure: the prediction was not tested.
 */
public final class MysteryProof {
    /** The preconditions of the mystery's prediction. */
    public enum Claims implements Claim {
        LAY_IN_WAIT("fault: the lock holder was armed"),
        SNAPSHOTS_SENT("fault: snapshots were sent"),
        LIMIT_HIT("fault: the rate limit was hit"),
        WAKE_UP_FAILED("fault: the wake-up failed"),
        YIELDED_IN_FLOW("fault: the first yield was during the measured flow"),
        YIELD_HELD_UP("fault: the first yield was delayed (simulated)"),
        READS_SPENT("fault: the read budget was spent"),
        BOUND_LATE("fault: the symbol was bound late"),
        EVICTED("fault: memory pressure evicted the symbol tables"),
        SQUEEZED("fault: memory was short"),
        PAGES_LOCKED("remedy: the kernel holds pages of the service locked in memory"),
        BOUND_EARLY("fault: the symbol was bound early, and the bind was delayed there"),
        YIELDED("fault: the yield was still executed"),
        NOT_YIELDED("fault: what delays a yield was armed, and no thread yielded");

        private final String template;

        Claims(String template) {
            this.template = template;
        }

        @Override
        public String template() {
            return template;
        }
    }

    private static final String NOT_IN_PLAN = "not in the plan of the process";

    private final RunOutcome outcome;
    private final Map<String, FaultRecord> faults;
    private final long snapshotsSent;
    private final List<Expectation> conditions = new ArrayList<>();

    /** @param service {@code null}: it gave no final report, and so no proof */
    private MysteryProof(RunOutcome outcome, @Nullable ServiceReport service) {
        this.outcome = outcome;
        faults = service == null ? Map.of() : service.faults();
        snapshotsSent = service == null ? 0 : service.flow().snapshotsSent();
    }

    static List<Expectation> check(RunOutcome outcome) {
        MysteryProof proof = new MysteryProof(outcome, outcome.subscriber(Deployment.SERVICE));
        if (outcome.plan().traffic().rateLimiting() == RateLimitMode.APPLICATION) {
            proof.requireLimiterSpared();
        } else if (MysteryRemedies.of(outcome.plan().remedy()).isWithoutYield()) {
            proof.requireLimiterTripped();
            proof.requireNoYield();
        } else {
            proof.requireLimiterTripped();
            proof.requireYieldInFlow();
            MysteryFidelities.of(outcome.plan().fidelity())
                    .prove(proof, MysteryRemedies.of(outcome.plan().remedy()));
        }
        return List.copyOf(proof.conditions);
    }

    /** The fault lay in wait, snapshots went out, and their sender gave the limiter no cause. */
    private void requireLimiterSpared() {
        FaultRecord yield = faults.get(MysteryFaults.YIELD);
        require(Claims.LAY_IN_WAIT, yield != null && yield.armed(), explanation(yield));
        require(Claims.SNAPSHOTS_SENT, snapshotsSent > 0, Format.count(snapshotsSent));
    }

    private void requireLimiterTripped() {
        FaultRecord yield = faults.get(MysteryFaults.YIELD);
        int hits = outcome.events(Deployment.SERVICE, ProcessEvent.RateLimitHit.class)
                .size();
        require(Claims.LIMIT_HIT, hits > 0, Format.count(hits) + " times");
        require(Claims.WAKE_UP_FAILED, isFired(yield), explanation(yield));
    }

    /**
     * Requires that the first yield was between the end of the warm-up and the end of the flow. A wake-up that fails only at a later second
     * boundary delays no event, so the run says nothing about the prediction.
     */
    private void requireYieldInFlow() {
        Interval counted = outcome.counted();
        List<ProcessEvent.Yielded> yields = outcome.events(Deployment.SERVICE, ProcessEvent.Yielded.class);
        require(
                Claims.YIELDED_IN_FLOW,
                counted != null
                        && !yields.isEmpty()
                        && counted.contains(yields.get(0).atNs()),
                yieldedWhen(counted, yields));
    }

    private static String yieldedWhen(@Nullable Interval counted, List<ProcessEvent.Yielded> yields) {
        if (yields.isEmpty()) {
            return "the service reported no yield";
        }
        if (counted == null) {
            return "the measured flow is not known";
        }
        return Format.milliseconds((yields.get(0).atNs() - counted.beginNs()) / Units.NS_PER_MS)
                + " after its begin, of " + Format.milliseconds(counted.lengthNs() / Units.NS_PER_MS);
    }

    /** Requires that the first yield was parked. */
    void requireParking() {
        requireFired(Claims.YIELD_HELD_UP, MysteryFaults.PARKING);
    }

    /** Requires that no read was left when a page was missing. */
    void requireSpentReads() {
        requireFired(Claims.READS_SPENT, MysteryFaults.READS);
    }

    /** Requires that the first yield bound the symbol. */
    void requireLateBind() {
        requireFired(Claims.BOUND_LATE, MysteryFaults.BINDING);
    }

    private void requireFired(Claims claim, String fault) {
        FaultRecord report = faults.get(fault);
        require(claim, isFired(report), explanation(report));
    }

    /** Requires that the kernel reports the pages as evicted, without having been advised to evict them. */
    void requireEviction() {
        List<ProcessEvent.MemoryNarrowed> narrowed =
                outcome.events(Deployment.SERVICE, ProcessEvent.MemoryNarrowed.class);
        if (narrowed.isEmpty()) {
            require(Claims.EVICTED, false, "the service did not report it");
            return;
        }
        boolean isEvicted = narrowed.get(0).evicted();
        String room = Format.bytes(narrowed.get(0).roomBytes());
        require(
                Claims.EVICTED,
                isEvicted,
                (isEvicted ? "gone" : "still in memory") + ", with " + room + " left for the page cache");
    }

    /** Requires that memory was taken, whatever that evicted. */
    void requireSqueeze() {
        List<ProcessEvent.MemoryNarrowed> narrowed =
                outcome.events(Deployment.SERVICE, ProcessEvent.MemoryNarrowed.class);
        require(
                Claims.SQUEEZED,
                !narrowed.isEmpty(),
                narrowed.isEmpty()
                        ? "the service did not report it"
                        : Format.bytes(narrowed.get(0).roomBytes()) + " left for the page cache, the symbol tables "
                                + (narrowed.get(0).evicted() ? "gone" : "in memory"));
    }

    /** Requires that the kernel counts locked memory of the service ({@code VmLck}): without it, the remedy was not there. */
    void requireLockedPages() {
        List<ProcessEvent.ResourcesUsed> used = outcome.events(Deployment.SERVICE, ProcessEvent.ResourcesUsed.class);
        require(
                Claims.PAGES_LOCKED,
                !used.isEmpty() && used.get(0).lockedBytes() > 0,
                used.isEmpty()
                        ? "the service did not report it"
                        : Format.bytes(used.get(0).lockedBytes()));
    }

    /** The audit library saw the bind, held it up, and that was before the context thread's first yield. */
    void requireEarlyBind() {
        List<ProcessEvent.SymbolBound> binds =
                outcome.events(Deployment.SERVICE, ProcessEvent.SymbolBound.class).stream()
                        .filter(ProcessEvent.SymbolBound::delayed)
                        .toList();
        List<ProcessEvent.Yielded> yields = outcome.events(Deployment.SERVICE, ProcessEvent.Yielded.class);
        boolean isEarly = !binds.isEmpty()
                && !yields.isEmpty()
                && yields.stream().allMatch(yield -> yield.atNs() - binds.get(0).atNs() > 0);
        require(
                Claims.BOUND_EARLY,
                isEarly,
                binds.isEmpty() ? "the audit library recorded no bind" : describe(binds.get(0)));
    }

    /** Requires that the context thread still yielded, with the symbol already bound. */
    void requireYield() {
        FaultRecord binding = faults.get(MysteryFaults.BINDING);
        long yieldNs = binding == null ? 0 : binding.proof().figure("firstYieldNs");
        require(
                Claims.YIELDED,
                yieldNs > 0,
                binding != null && yieldNs > 0
                        ? "the first took " + Format.count(yieldNs / 1_000) + " µs"
                        : explanation(binding));
    }

    /** The wake-up failed, and what would have delayed the yield lay in wait. */
    private void requireNoYield() {
        FaultRecord delay = faults.getOrDefault(MysteryFaults.BINDING, faults.get(MysteryFaults.PARKING));
        require(
                Claims.NOT_YIELDED,
                delay != null && delay.armed() && !delay.proof().fired(),
                explanation(delay));
    }

    private static String describe(ProcessEvent.SymbolBound bind) {
        return Format.milliseconds(bind.durationMs()) + " on thread " + bind.thread();
    }

    private static boolean isFired(@Nullable FaultRecord report) {
        return report != null && report.proof().fired();
    }

    private static String explanation(@Nullable FaultRecord report) {
        FaultRecord.Proof proof = report == null ? FaultRecord.Proof.notFired(NOT_IN_PLAN) : report.proof();
        return proof.explanation();
    }

    private void require(Claims claim, boolean proven, String figures) {
        conditions.add(Expectation.proven(claim, proven, figures));
    }
}
