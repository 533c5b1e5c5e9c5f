package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.ShellWord;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.BufferSizing;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;

/** Tells what a run of the mystery adds to its key figures: how the injected stall came about, what the remedy did, and what to run next. */
final class MysterySummary {
    private static final Map<Cause, String> TWISTS = Map.of(
            Cause.LATE_BINDING_DELAY,
            "and the dynamic linker bound sched_yield in that yield, delayed by the audit library",
            Cause.LATE_BINDING_MAJOR_FAULT,
            "and the dynamic linker bound sched_yield in that yield, waiting for evicted pages",
            Cause.LATE_BINDING_SIMULATED,
            "and the yield parked instead of a late bind");

    private static final long USUAL_SEED = 42;

    private final RunOutcome outcome;
    private final RemedyStrategy remedy;
    private final List<StoryLine> lines = new ArrayList<>();

    private MysterySummary(RunOutcome outcome) {
        this.outcome = outcome;
        remedy = MysteryRemedies.of(outcome.plan().remedy());
    }

    static List<StoryLine> of(RunOutcome outcome, Verdict verdict) {
        if (outcome.subscriber(Deployment.SERVICE) == null) {
            return List.of();
        }
        MysterySummary story = new MysterySummary(outcome);
        MysteryFidelities.of(outcome.plan().fidelity()).note().ifPresent(note -> story.add("note", note));
        story.addWhy();
        story.addTried(verdict);
        Mystery.whyNoCustomers(outcome.plan(), Runtime.getRuntime().availableProcessors())
                .ifPresent(why -> story.add("clients", why));
        story.lines.add(
                StoryLine.commands("next", story.remedy.next(outcome.plan()).toArray(String[]::new)));
        return story.lines;
    }

    private void addWhy() {
        Cause cause = outcome.diagnosis().cause();
        String twist = TWISTS.get(cause);
        if (twist != null) {
            add(
                    "why",
                    "snapshots hit the rate limit, the wake-up failed, the thread yielded for the first time,",
                    twist);
        } else if (cause != Cause.CLEAN) {
            add("why", "cause " + cause + "; not the stall that the lab injects");
        }
    }

    /** A remedy against the injected stall says nothing about a run whose diagnosis is another one. */
    private void addTried(Verdict verdict) {
        Cause cause = outcome.diagnosis().cause();
        if (TWISTS.containsKey(cause) || cause == Cause.CLEAN) {
            add("tried", remedy.text(verdict == Verdict.PASS) + remaining());
        }
    }

    /** Returns what a remedy that hides the loss leaves of the stall; empty of other remedies, and without latencies. */
    private String remaining() {
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        LatencyRecord latency = service == null ? null : service.latency();
        return latency == null || !remedy.isStallBuffered()
                ? ""
                : ": p99.9 is " + LatencyRecord.milliseconds(latency.dueToBook().p999Us()) + " ms";
    }

    private void add(String head, String... parts) {
        lines.add(StoryLine.sentence(head, parts));
    }

    /**
     * Returns the command line of a run like another one, with a different remedy. The fidelity is always named: which one is the default depends on the machine.
     *
     * @param remedy the word of the command line
     */
    static String nextCommand(RunPlan plan, String remedy) {
        StringBuilder command = new StringBuilder(ShellWord.of(Program.name()) + " run mystery");
        if (plan.seed() != USUAL_SEED) {
            command.append(" --seed ").append(plan.seed());
        }
        command.append(" --fidelity ").append(plan.fidelity());
        command.append(" --remedy ").append(remedy);
        BufferSizing stall = plan.traffic().stall();
        if (stall != null && stall.stallNs() != Mystery.STALL_NS) {
            command.append(" --stall ")
                    .append(TimeUnit.NANOSECONDS.toMillis(stall.stallNs()))
                    .append("ms");
        }
        if (plan.placement().composition() != null) {
            command.append(" --attach --project ")
                    .append(ShellWord.of(plan.placement().composition().project()));
        }
        return command.toString();
    }
}
