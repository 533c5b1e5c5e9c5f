package org.naklab.lab.scenarios.record;

import java.util.List;
import org.naklab.lab.cases.CaseDocument;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.core.Json;
import org.naklab.lab.records.ExchangeRecord;
import org.naklab.lab.records.FaultRecord;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;

/**
 * Makes the document of {@code --json}: {@code received} and {@code journaled} are the market data service's; missing is that of
 * the subscriber that missed most; duplicated, reordered and NAKs are summed over all subscribers; drops and depth are the worst of their sockets.
 */
public final class RunDocuments {
    private RunDocuments() {}

    /** Returns the document of one run as text. */
    public static String text(RunResult result) {
        return Json.pretty(of(result));
    }

    /** Returns the document of one run. */
    public static RunDocument of(RunResult result) {
        RunOutcome outcome = result.outcome();
        return new RunDocument(
                caseOf(outcome.plan()),
                new RunDocument.Finding(result.verdict().label(), result.diagnosis()),
                messages(outcome),
                new RunDocument.Counts(
                        outcome.naks(),
                        outcome.datagramsDropped(),
                        outcome.retransmits(),
                        outcome.blockedSends(),
                        outcome.maxSocketDepthBytes()),
                outcome.stalls(),
                outcome.plan().directory().toString());
    }

    /** Returns what the injector of faults knows of a run: {@code truth.json} of its case. */
    public static Truth truthOf(RunResult result) {
        RunOutcome outcome = result.outcome();
        return new Truth(
                CaseDocument.FORMAT,
                caseOf(outcome.plan()),
                PlanRecords.of(outcome.plan()).additions().addedFaults(),
                FaultRecord.kept(outcome.faults()),
                result.unheld());
    }

    static RunCase caseOf(RunPlan plan) {
        return new RunCase(
                plan.scenario(), plan.fidelity().label(), plan.remedy().label(), plan.profileLabel(), plan.seed());
    }

    private static RunDocument.Messages messages(RunOutcome outcome) {
        ExchangeRecord exchange = outcome.exchange();
        ServiceReport service = outcome.service();
        List<ServiceReport> all = outcome.subscribers();
        return new RunDocument.Messages(
                exchange == null ? 0 : exchange.sent().published(),
                service == null ? 0 : service.events().received(),
                service == null ? 0 : service.events().journaled(),
                all.stream()
                        .map(each -> new RunDocument.Messages.Receiver(
                                each.name(),
                                each.events().missing(),
                                each.events().duplicated(),
                                each.events().reordered()))
                        .toList());
    }
}
