package org.naklab.lab.scenarios.mystery;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.records.Stall;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;

/**
 * Makes the stall of the mystery in one of its fidelities: where the processes run, which fault delays the first yield, what proves that
 * it did, and how exact the stall is. To add a fidelity, add its word to {@link Fidelity}, a class here, and an entry in {@link MysteryFidelities}; no
 * other file changes.
 */
interface FidelityStrategy {
    /** Parts of a stall in which the thread could run and had no CPU. */
    Set<AccountKind> WITHOUT_CPU =
            Set.of(AccountKind.PREEMPTED, AccountKind.INTERRUPTED, AccountKind.THROTTLED, AccountKind.STOLEN);

    /** Length of the incident's stall, ns. */
    long INCIDENT_NS = TimeUnit.MILLISECONDS.toNanos(150);

    double INCIDENT_TOLERANCE_MS = 10;
    double TOLERANCE = 0.05;

    /** Returns the word of the command line and of the record. */
    Fidelity fidelity();

    /** Returns why a run with this remedy is impossible on this machine, and what is possible; empty if it is possible. */
    Optional<String> refusal(RemedyStrategy remedy);

    /** Returns why the processes cannot run in the services of a composition, and what can; empty if they can. */
    default Optional<String> compositionRefusal() {
        return Optional.empty();
    }

    /** Returns the order flow of a run. */
    default Workload workload(Workload paced) {
        return paced;
    }

    /**
     * Returns the processes, with the faults in the service and the remedy against them.
     *
     * @param listener is told about each step of the preparation
     */
    Deployment deploy(RunPlan plan, PreparationListener listener);

    /** Requires the proof that the first yield was delayed as intended, or that the remedy made it harmless. */
    void prove(MysteryProof proof, RemedyStrategy remedy);

    /** Returns true if a shortage of memory evicts the pages that the bind needs. */
    default boolean hasPressure() {
        return false;
    }

    /** Returns true if the processes of such a run are in containers of their own. */
    default boolean isContained(RunPlan plan) {
        return false;
    }

    /** Returns true if the service has slow reads or little memory, so that its JVM also stalls for its own reasons. */
    default boolean isShortOfPages() {
        return false;
    }

    /** Returns true if the stall has another cause than the injected fault, so that it does not contradict the prediction. */
    default boolean isForeign(Stall stall) {
        return RunOutcome.FOREIGN.contains(stall.cause());
    }

    /** Returns the claim about the length of the stall. */
    default MysteryPrediction.Claims lengthClaim() {
        return MysteryPrediction.Claims.AS_LONG_AS_WANTED;
    }

    /** Checks the length of the stall against the requested one. What the thread waited for a CPU may come on top: it is told, and it is no part of the prediction. */
    default Expectation length(Stall stall, BufferSizing wanted) {
        double wantedMs = wanted.stallNs() / Units.NS_PER_MS;
        double toleranceMs = toleranceMs(wanted.stallNs());
        double tooLongMs = stall.durationMs() - wantedMs - toleranceMs;
        double withoutCpuMs = withoutCpuMs(stall);
        String waited = tooLongMs > 0 && withoutCpuMs > 0
                ? String.format(Locale.ROOT, ", %.1f of them without a CPU", withoutCpuMs)
                : "";
        return Expectation.of(
                lengthClaim(),
                stall.durationMs() >= wantedMs - toleranceMs && tooLongMs <= withoutCpuMs,
                String.format(
                        Locale.ROOT,
                        "%.1f ms%s, expected %.0f ± %.1f",
                        stall.durationMs(),
                        waited,
                        wantedMs,
                        toleranceMs));
    }

    private static double withoutCpuMs(Stall stall) {
        return WITHOUT_CPU.stream()
                .mapToDouble(kind -> stall.account().ms(kind))
                .sum();
    }

    /**
     * Returns how far the length of the stall may differ from the requested one, ms.
     *
     * @param stallNs requested length, ns
     */
    default double toleranceMs(long stallNs) {
        return stallNs == INCIDENT_NS ? INCIDENT_TOLERANCE_MS : stallNs / Units.NS_PER_MS * TOLERANCE;
    }

    /** Returns what makes runs with some of these remedies incomparable with those of others; empty if nothing does. */
    default Optional<String> comparisonNote(List<RemedyStrategy> remedies) {
        return Optional.empty();
    }

    /** Returns what a reader of the summary must know about the stall; empty if there is nothing. */
    default Optional<String> note() {
        return Optional.empty();
    }
}
