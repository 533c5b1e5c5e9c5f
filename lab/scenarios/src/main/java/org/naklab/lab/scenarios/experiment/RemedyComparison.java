package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunDocument;
import org.naklab.lab.scenarios.record.RunResult;

/** Several runs of one scenario, one or more remedies, the same seeds for each. */
public record RemedyComparison(List<RunResult> results) {
    public RemedyComparison {
        results = List.copyOf(results);
    }

    public List<RemedySummary> standings() {
        return RemedySummary.of(results);
    }

    /** The worst of the runs'. */
    public Verdict verdict() {
        return Verdict.of(results.stream().map(RunResult::verdict).toList());
    }

    /** The document of {@code --json}: the runs' own documents in the order in which they were run, and the summary. */
    public String text() {
        ObjectNode document = Json.object();
        results.stream().findFirst().ifPresent(first -> document.put(
                        "scenario", first.outcome().plan().scenario())
                .put("fidelity", first.outcome().plan().fidelity().label()));
        document.put("verdict", verdict().label());
        ArrayNode runs = document.putArray("runs");
        results.forEach(result -> runs.add(RunDocument.of(result)));
        ArrayNode summary = document.putArray("summary");
        standings().forEach(standing -> summary.add(Json.tree(standing, ObjectNode.class)));
        return Json.pretty(document);
    }
}
