package org.naklab.lab.scenarios.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.replica.exchange.ExchangeReport;
import org.naklab.lab.replica.service.ServiceReport;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Stall;

/**
 * The document of {@code --json}. Its keys are a contract: {@code received} and {@code journaled} are the market data
 * service's; missing, duplicated, reordered and NAKs are summed over all subscribers; drops and depth are the worst of their
 * sockets.
 */
public final class RunDocument {
    private RunDocument() {}

    /** One run. */
    public static String text(RunResult result) {
        return Json.pretty(of(result));
    }

    public static ObjectNode of(RunResult result) {
        RunOutcome outcome = result.outcome();
        RunPlan plan = outcome.plan();
        ObjectNode document = Json.object()
                .put("scenario", plan.scenario())
                .put("fidelity", plan.fidelity().label())
                .put("remedy", plan.remedy().label())
                .put("profile", plan.profileLabel())
                .put("seed", plan.seed())
                .put("verdict", result.verdict().label())
                .put("diagnosis", result.diagnosis());
        document.set("messages", messages(outcome));
        document.put("naks", outcome.naks())
                .put("datagramsDropped", outcome.datagramsDropped())
                .put("retransmits", outcome.retransmits())
                .put("blockedSends", outcome.blockedSends())
                .put("maxSocketDepthBytes", outcome.maxSocketDepthBytes());
        ArrayNode stalls = document.putArray("stalls");
        outcome.stalls().forEach(stall -> stalls.add(stall(stall)));
        return document.put("runDirectory", plan.directory().toString());
    }

    private static ObjectNode messages(RunOutcome outcome) {
        ExchangeReport exchange = outcome.exchange();
        ServiceReport service = outcome.service();
        List<ServiceReport> all = outcome.subscribers();
        return Json.object()
                .put("published", exchange == null ? 0 : exchange.published())
                .put("received", service == null ? 0 : service.received())
                .put("journaled", service == null ? 0 : service.journaled())
                .put("missing", all.stream().mapToLong(ServiceReport::missing).sum())
                .put(
                        "duplicated",
                        all.stream().mapToLong(ServiceReport::duplicated).sum())
                .put(
                        "reordered",
                        all.stream().mapToLong(ServiceReport::reordered).sum());
    }

    private static ObjectNode stall(Stall stall) {
        return Json.object()
                .put("atNs", stall.atNs())
                .put("durationMs", stall.durationMs())
                .put("process", stall.process())
                .put("thread", stall.thread())
                .put("majorFaults", stall.majorFaults())
                .put("cause", stall.cause());
    }
}
