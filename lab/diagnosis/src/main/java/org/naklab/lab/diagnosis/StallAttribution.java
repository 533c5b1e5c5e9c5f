package org.naklab.lab.diagnosis;

import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;

/**
 * Attributes one thread's stall to a cause. Causes are tested in order, outermost first: a stopped process explains a slow callback, and not
 * the other way round. The first match is the cause.
 */
final class StallAttribution {
    private final CaseFile file;
    private final TimelineEvent event;
    private final Interval stall;
    private final StallBreakdown shares;
    private final List<Function<StallAttribution, Optional<Explanation>>> witnesses = List.of(
            StallAttribution::paused,
            StallAttribution::heldUp,
            StallAttribution::machine,
            StallAttribution::seenCollected,
            StallAttribution::preempted,
            StallAttribution::collected,
            StallAttribution::bound,
            StallAttribution::crowded,
            StallAttribution::calledBack,
            StallAttribution::faulted,
            StallAttribution::pressed);

    /** @param event a STALL */
    StallAttribution(CaseFile file, TimelineEvent event) {
        this.file = file;
        this.event = event;
        stall = event.interval();
        shares = new StallBreakdown(file, event);
    }

    Explanation explain() {
        return witnesses.stream()
                .flatMap(witness -> witness.apply(this).stream())
                .findFirst()
                .orElseGet(() -> withWait(new Explanation(
                        Cause.UNEXPLAINED, 0, List.of(told("stalled, and no instrument explains it")))));
    }

    private Optional<Explanation> paused() {
        return enough(Cause.PROCESS_PAUSED, shares.paused(), "stopped by a signal (state T)");
    }

    /** A bind that was held up on purpose is no one else's doing, whatever the machine did meanwhile. */
    private Optional<Explanation> heldUp() {
        return bound().filter(explanation ->
                explanation.cause() == Cause.LATE_BINDING_DELAY && explanation.share() >= Explanation.CERTAIN_SHARE);
    }

    private Optional<Explanation> machine() {
        return enough(Cause.MACHINE_STALLED, shares.machine(), "an idle thread's timer was late as well")
                .or(() -> enough(Cause.MACHINE_STALLED, shares.stolen(), "CPU steal by the hypervisor"));
    }

    private Optional<Explanation> preempted() {
        return enough(Cause.CPU_PREEMPTION, shares.runQueue(), "runnable, and no CPU free");
    }

    /** A callback is not slow that is interrupted, while threads of other processes stand still as well. */
    private Optional<Explanation> crowded() {
        return enough(Cause.CPU_PREEMPTION, shares.crowded(), "waited for a CPU, or other processes stalled as well");
    }

    /** Uses the JVM's own times, which exclude other causes; of a wait for a CPU only the length is known. */
    private Optional<Explanation> seenCollected() {
        return collected().filter(explanation -> shares.seenCollected() >= Explanation.CERTAIN_SHARE);
    }

    private Optional<Explanation> collected() {
        return enough(Cause.GC_OR_SAFEPOINT, shares.collected(), "the JVM had stopped all its threads");
    }

    private Optional<Explanation> calledBack() {
        return enough(Cause.SLOW_CALLBACK, shares.callback(), "in one callback")
                .map(explanation -> withWait(explanation.with(sleptOrWorked())));
    }

    /** Adds the longest wait of the thread and its place in the code, if the JVM reported it. */
    private Explanation withWait(Explanation explanation) {
        return file.of(event.process(), JAVA_WAIT).stream()
                .filter(wait -> wait.thread().equals(event.thread())
                        && wait.interval().intersection(stall).isPresent())
                .max(Comparator.comparingLong(wait -> wait.interval().lengthNs()))
                .map(wait -> explanation.with(new Evidence(
                        wait.timeNs(),
                        event.thread() + " " + wait.detail("what") + ", at " + wait.detail("where"),
                        milliseconds(wait.interval()))))
                .orElse(explanation);
    }

    private Evidence sleptOrWorked() {
        double asleep = shares.asleepInCallback();
        return asleep >= Explanation.LEAST_SHARE
                ? part(asleep, "asleep in the callback, for a lock, a device or a response")
                : part(asleep, "observed asleep in the callback; it was busy or waited for a CPU");
    }

    /** The yield was the stall, and a symbol was bound in it. */
    private Optional<Explanation> bound() {
        double share = shares.yielding();
        if (share < Explanation.LEAST_SHARE) {
            return Optional.empty();
        }
        List<Evidence> findings = new ArrayList<>();
        findings.add(part(share, "yielding"));
        List<TimelineEvent> binds = within(SYMBOL_BOUND);
        binds.forEach(bind -> findings.add(
                new Evidence(bind.timeNs(), "bound " + bind.detail("symbol"), milliseconds(bind.interval()))));
        Cause cause = causeOf(binds);
        if (cause == Cause.LATE_BINDING_MAJOR_FAULT) {
            findings.add(
                    new Evidence(event.timeNs(), "major faults of the thread in the stall", majorFaults(binds) + ""));
        }
        return Optional.of(new Explanation(cause, share, findings));
    }

    private Cause causeOf(List<TimelineEvent> binds) {
        List<Interval> delays = binds.stream()
                .filter(bind -> Boolean.TRUE.equals(bind.detail("delayed")))
                .map(TimelineEvent::interval)
                .toList();
        if (stall.coveredBy(delays) >= Explanation.LEAST_SHARE) {
            return Cause.LATE_BINDING_DELAY;
        }
        if (!binds.isEmpty() && majorFaults(binds) > 0) {
            return Cause.LATE_BINDING_MAJOR_FAULT;
        }
        return binds.isEmpty() ? Cause.LATE_BINDING_SIMULATED : Cause.UNEXPLAINED;
    }

    private Optional<Explanation> faulted() {
        return majorFaults() > 0
                ? Optional.of(new Explanation(
                        Cause.MAJOR_FAULT,
                        Explanation.LEAST_SHARE,
                        List.of(new Evidence(
                                event.timeNs(), "major faults of the thread in the stall", majorFaults() + ""))))
                : Optional.empty();
    }

    /** Pressure says that somebody waited for a processor, not who: enough for a guess, not for more. */
    private Optional<Explanation> pressed() {
        double share = shares.pressed();
        return share >= Explanation.LEAST_SHARE
                ? Optional.of(new Explanation(
                        Cause.CPU_PREEMPTION,
                        Explanation.LEAST_SHARE,
                        List.of(part(share, "threads of the machine waited for a CPU (PSI)"))))
                : Optional.empty();
    }

    private long majorFaults() {
        return Math.max(0, event.longDetail("majorFaults", 0));
    }

    /** Returns the thread's major faults, or those counted by the binding thread itself if these are more. */
    private long majorFaults(List<TimelineEvent> binds) {
        long ownCount = binds.stream()
                .mapToLong(bind -> Math.max(0, bind.longDetail("majorFaults", 0)))
                .sum();
        return Math.max(majorFaults(), ownCount);
    }

    private List<TimelineEvent> within(TimelineEventType type) {
        return file.of(event.process(), type).stream()
                .filter(each -> stall.contains(each.timeNs()))
                .toList();
    }

    private Optional<Explanation> enough(Cause cause, double share, String what) {
        return share >= Explanation.LEAST_SHARE
                ? Optional.of(new Explanation(cause, Math.min(1, share), List.of(part(share, what))))
                : Optional.empty();
    }

    private Evidence told(String text) {
        return new Evidence(event.timeNs(), event.thread() + " " + text, milliseconds(stall));
    }

    private Evidence part(double share, String what) {
        return new Evidence(
                event.timeNs(),
                event.thread() + ": " + what,
                String.format(Locale.ROOT, "%.0f %% of %.1f ms", 100 * Math.min(1, share), stall.lengthMs()));
    }

    private static String milliseconds(Interval span) {
        return Format.milliseconds(span.lengthMs());
    }
}
