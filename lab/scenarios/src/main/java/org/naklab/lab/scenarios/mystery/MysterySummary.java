package org.naklab.lab.scenarios.mystery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Format;
import org.naklab.lab.core.Program;
import org.naklab.lab.core.timeline.SocketDrops;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.runs.record.Stall;
import org.naklab.lab.scenarios.Deployment;
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
    private final RemedyStrategy remedy;
    private final @Nullable Stall stall;
    private final List<StoryLine> lines = new ArrayList<>();

    private MysterySummary(RunOutcome outcome) {
        this.outcome = outcome;
        remedy = MysteryRemedies.of(outcome.plan().remedy());
        stall = outcome.stalls().stream()
                .filter(each -> each.process().equals(Deployment.SERVICE))
                .max(Comparator.comparingDouble(Stall::durationMs))
                .orElse(null);
    }

    static List<StoryLine> of(RunOutcome outcome, Verdict verdict) {
        ServiceReport service = outcome.subscriber(Deployment.SERVICE);
        if (service == null) {
            return List.of();
        }
        MysterySummary story = new MysterySummary(outcome);
        story.addFidelity();
        story.addStall();
        story.addLoss(service);
        story.add("remedy", story.remedy.text(verdict == Verdict.PASS));
        story.addNext(verdict);
        return story.lines;
    }

    private void addFidelity() {
        MysteryFidelities.of(outcome.plan().fidelity()).note().ifPresent(note -> add("note", note));
    }

    private void addStall() {
        if (stall == null) {
            add("stalled", "nothing for 20 ms or more");
            return;
        }
        add("stalled", stall.thread() + " for " + Format.milliseconds(stall.durationMs()) + ": it received nothing");
        String twist = TWISTS.get(stall.cause());
        if (twist == null) {
            add("why", "cause " + stall.cause() + "; not the stall that the lab injects");
            return;
        }
        add("why", "snapshots hit the rate limit, the wake-up failed, the thread yielded for the first time,", twist);
    }

    private void addLoss(ServiceReport service) {
        long drops = outcome.datagramsDropped(Deployment.SERVICE);
        long naks = service.transport().naksSent();
        if (drops == 0 && naks == 0) {
            add("lost", "nothing: no datagram dropped, no NAK");
            return;
        }
        add("lost", lost(outcome.socketDrops(Deployment.SERVICE)) + "; " + Format.count(naks) + " NAKs asked for them");
        add(
                "repaired",
                service.missing() == 0 && service.complete()
                        ? "all; the journal contains " + Format.count(service.journaled()) + " events"
                        : "not all: " + Format.count(service.missing()) + " events are missing");
    }

    private void addNext(Verdict verdict) {
        if (verdict == Verdict.UNKNOWN) {
            propose(Program.name() + " run mystery --seed " + outcome.plan().seed()
                    + "   (again: this run was inconclusive)");
        } else {
            propose(remedy.next().toArray(String[]::new));
        }
    }

    private void add(String head, String... parts) {
        lines.add(StoryLine.sentence(head, parts));
    }

    private void propose(String... commands) {
        lines.add(StoryLine.commands("next", commands));
    }

    private static String lost(SocketDrops drops) {
        return Format.count(drops.all()) + (drops.isOverflowOnly() ? " datagrams " : " datagrams, ") + drops.why();
    }
}
