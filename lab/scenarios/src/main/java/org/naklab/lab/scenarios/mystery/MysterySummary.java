package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;

/** The findings of one run of the mystery, as one would tell them. */
final class MysterySummary {
    private static final Map<String, String> TWISTS = Map.of(
            Cause.LATE_BINDING_DELAY.label(),
            "and the dynamic linker bound sched_yield in that yield, delayed by the audit library",
            Cause.LATE_BINDING_MAJOR_FAULT.label(),
            "and the dynamic linker bound sched_yield in that yield, waiting for evicted pages",
            Cause.LATE_BINDING_SIMULATED.label(),
            "and the yield parked instead of a late bind");

    private final RunOutcome outcome;
    private final @Nullable Stall stall;
    private final List<StoryLine> lines = new ArrayList<>();

    private MysterySummary(RunOutcome outcome) {
        this.outcome = outcome;
        stall = outcome.stalls().stream()
                .filter(each -> each.process().equals(Deployment.SERVICE))
                .max(Comparator.comparingDouble(Stall::durationMs))
                .orElse(null);
    }

    static List<StoryLine> tell(RunOutcome outcome, Verdict verdict) {
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        if (service == null) {
            return List.of();
        }
        MysterySummary story = new MysterySummary(outcome);
        story.tellFidelity();
        story.tellStall();
        story.tellLoss(service);
        story.tellRemedy(verdict);
        story.tellNext(verdict);
        return story.lines;
    }

    private void tellFidelity() {
        if (outcome.plan().fidelity() == Fidelity.SIMULATED) {
            say("note", "SIMULATED: the yield parked; no symbol was bound late");
        }
    }

    private void tellStall() {
        if (stall == null) {
            say("stalled", "nothing for 20 ms or more");
            return;
        }
        say("stalled", stall.thread() + " for " + Format.milliseconds(stall.durationMs()) + ": it received nothing");
        String twist = TWISTS.get(stall.cause());
        if (twist == null) {
            say("why", "cause " + stall.cause() + "; not the stall that the lab injects");
            return;
        }
        say("why", "snapshots hit the rate limit, the wake-up failed, the thread yielded for the first time,", twist);
    }

    private void tellLoss(ServiceReport service) {
        long drops = outcome.datagramsDropped(Deployment.SERVICE);
        long naks = service.transport().naksSent();
        if (drops == 0 && naks == 0) {
            say("lost", "nothing: no datagram dropped, no NAK");
            return;
        }
        say(
                "lost",
                Format.count(drops) + " datagrams dropped by a full socket; " + Format.count(naks)
                        + " NAKs asked for them");
        say(
                "repaired",
                service.missing() == 0 && service.complete()
                        ? "all; the journal contains " + Format.count(service.journaled()) + " events"
                        : "not all: " + Format.count(service.missing()) + " events are missing");
    }

    private void tellRemedy(Verdict verdict) {
        boolean isCured = verdict == Verdict.PASS;
        switch (outcome.plan().remedy()) {
            case NONE -> say("remedy", "none yet; bind-now removes the cause, bigger-buffer only hides the symptom");
            case BIND_NOW -> say("remedy", "LD_BIND_NOW=1 binds at start-up, when no thread waits" + effect(isCured));
            case PRE_TOUCH ->
                say("remedy", "pages locked and the symbol bound on another thread at start-up" + effect(isCured));
            case APPLICATION_RATE_LIMIT ->
                say("remedy", "the service paces its snapshots; the limiter never trips" + effect(isCured));
            case BIGGER_BUFFER ->
                say(
                        "remedy",
                        "the buffer holds the datagrams of the stall: the symptom is hidden, not cured; latency "
                                + "still suffers");
        }
    }

    private static String effect(boolean isCured) {
        return isCured ? ": the cause is removed" : "";
    }

    private void tellNext(Verdict verdict) {
        if (verdict == Verdict.UNKNOWN) {
            propose(Program.name() + " run mystery --seed " + outcome.plan().seed()
                    + "   (again: this run was inconclusive)");
        } else if (outcome.plan().remedy() == Remedy.NONE) {
            propose(
                    Program.name() + " run mystery --remedy bind-now",
                    Program.name() + " run mystery --remedy all --repeat 5   (compares the remedies)");
        } else {
            propose(Program.name() + " run mystery --remedy all --repeat 5   (compares the remedies)");
        }
    }

    private void say(String head, String... parts) {
        lines.add(StoryLine.sentence(head, parts));
    }

    private void propose(String... commands) {
        lines.add(StoryLine.commands("next", commands));
    }
}
