package org.naklab.lab.scenarios;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultKinds;
import org.naklab.faults.FaultPlan;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.diagnosis.Cause;

/**
 * A workload, a fault plan and a prediction. To add a scenario, add a class with {@code @AutoService(Scenario.class)} and a constructor without
 * parameters; no other file changes. A scenario that injects a fault must also check the fault's proof that it fired.
 */
public interface Scenario {
    /** Returns the name used on the command line. */
    String name();

    /** Returns a description of one line. */
    String summary();

    /** Returns the default workload of the exchange. */
    Workload workload();

    /** Returns the supported fidelities; the first is the default, unless the machine can make a {@link #realistic} one. */
    default List<Fidelity> fidelities() {
        return List.of(Fidelity.NONE);
    }

    /**
     * Returns the fidelity that is the default on a machine that can make it as it is; empty if the scenario has none.
     *
     * @param directory of the runs
     */
    default Optional<Realistic> realistic(Path directory) {
        return Optional.empty();
    }

    /**
     * The most realistic fidelity that needs no setup.
     *
     * @param obstacle why this machine cannot make it, and what another one leaves out; {@code null}: it can
     */
    record Realistic(Fidelity fidelity, @Nullable String obstacle) {}

    /** Returns the supported remedies in the order in which they are compared, each with its price: what it costs, without a full stop. */
    default Map<Remedy, String> prices() {
        return Map.of(Remedy.NONE, "nothing");
    }

    /** Returns the supported remedies. */
    default Set<Remedy> remedies() {
        return prices().keySet();
    }

    /** Returns what makes the runs of some remedies incomparable with those of others; empty if nothing does. */
    default Optional<String> comparisonNote(Fidelity fidelity, Collection<Remedy> compared) {
        return Optional.empty();
    }

    /** Returns the reason why the scenario cannot be run like this on this machine, with the alternative; empty if it can. */
    default Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
        return Optional.empty();
    }

    /** Returns why the processes cannot run in the services of a composition, and what can; empty if they can. */
    default Optional<String> compositionRefusal(RunPlan plan) {
        return Optional.empty();
    }

    /** Returns the length of the warm-up from the start of the flow, ns: its stalls are on the timeline but do not count. */
    default long warmUpNs(RunPlan plan) {
        return 0;
    }

    /** The stall that it makes when the command line asks for no other; 0 when it makes none. */
    default long stallNs() {
        return 0;
    }

    /**
     * Fills in what depends on the machine.
     *
     * @param stallNs wanted length of the stall
     * @param isRateGiven whether the plan's rate is the user's own
     * @throws org.naklab.lab.core.UsageException when what the user asked for cannot be had
     */
    default RunPlan prepare(RunPlan plan, long stallNs, boolean isRateGiven) {
        return plan;
    }

    /** Returns the injected causes, which the diagnosis should find: rows of the confusion matrix, each with its fidelity. */
    default Map<Cause, Fidelity> causes() {
        return Map.of();
    }

    /** Returns the names of the kinds of faults that it injects. */
    default Set<String> faultKinds() {
        return Set.of();
    }

    /** Tries whether its faults can be injected here; returns in one line why not, and what to do, or empty if they can. */
    default Optional<String> obstacle() {
        FaultKinds kinds = FaultKinds.onClassPath();
        return faultKinds().stream()
                .sorted()
                .flatMap(kind -> kinds.named(kind).obstacle().stream())
                .findFirst();
    }

    /** Returns in one line why its faults cannot be injected into the services of a composition from here, and what to do, or empty if they can. */
    default Optional<String> compositionObstacle() {
        return obstacle();
    }

    /** The processes, each with what makes or cures its stall. */
    default Deployment deploy(RunPlan plan) {
        return Deployment.standard(plan);
    }

    /**
     * Returns the deployment after measuring the machine, if the scenario requires that.
     *
     * @param listener is told what that is doing
     * @throws org.naklab.lab.core.LabException when the machine does not give what the plan needs
     */
    default Deployment deploy(RunPlan plan, PreparationListener listener) {
        return deploy(plan);
    }

    /** Returns true if the processes of a run are in containers: those of a composition, or of the run itself. */
    default boolean isContained(RunPlan plan) {
        return plan.placement().composition() != null;
    }

    /** Faults that strike processes from outside, or all of the machine; the lab itself runs them. */
    default FaultPlan outsideFaults(RunPlan plan) {
        return new FaultPlan(plan.seed(), List.of());
    }

    /** Returns the customers of a run whose processes are on this machine, if the command line asks for no others. */
    default Customers customers(RunPlan plan) {
        return Customers.NONE;
    }

    /** Returns the faults of the process of the customers. */
    default FaultPlan customersFaults(RunPlan plan) {
        return new FaultPlan(plan.seed(), List.of());
    }

    /** Returns the subscribers that the scenario ends while the flow goes on: the run does without them from then on. */
    default Set<String> victims() {
        return Set.of();
    }

    /** Returns true if the run measures what its processes hold at the beginning and at the end: {@link RunOutcome#inspection()}. */
    default boolean isInspected() {
        return false;
    }

    /** The flow may be silent this long without being stuck: recorded time has its pauses. */
    default long quietNs(RunPlan plan) {
        return TimeUnit.MINUTES.toNanos(plan.workload().speed() == 0 ? 0 : 60);
    }

    /** The prediction, held against what was seen. */
    List<Expectation> check(RunOutcome outcome);

    /**
     * Returns true if the diagnosis found an effect of the machine instead of the scenario's fault: processes other than the service
     * stalled with the rest of the machine. Such a run neither confirms nor contradicts the diagnosis.
     */
    default boolean isSpoiled(RunOutcome outcome) {
        return outcome.diagnosis().cause() == Cause.MACHINE_STALLED
                && outcome.stalls().stream()
                        .anyMatch(stall -> !stall.process().equals(Deployment.SERVICE)
                                && stall.cause().equals(Cause.MACHINE_STALLED.label()));
    }

    /** Returns whether interrupts of the receipt threads are recorded whatever the run observes: the diagnosis cannot do without them. */
    default boolean recordsInterrupts() {
        return false;
    }

    /** Tells what this scenario adds to the key figures of a run, a few lines, and what to do next; nothing by default. */
    default List<StoryLine> story(RunOutcome outcome, Verdict verdict) {
        return List.of();
    }
}
