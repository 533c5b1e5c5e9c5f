package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.runs.record.RunDocument;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunDocuments;
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

    /** Returns the document of {@code --json}: the runs' own documents in the order in which they were run, and the summary. */
    public String text() {
        Optional<RunPlan> plan =
                results.stream().findFirst().map(first -> first.outcome().plan());
        return Json.pretty(new Document(
                plan.map(RunPlan::scenario).orElse(null),
                plan.map(RunPlan::fidelity).orElse(null),
                verdict(),
                results.stream().map(RunDocuments::of).toList(),
                standings()));
    }

    /** As it is printed; of no run, nothing is known of scenario and fidelity. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Document(
            @Nullable String scenario,
            @Nullable Fidelity fidelity,
            Verdict verdict,
            List<RunDocument> runs,
            List<RemedySummary> summary) {}
}
