package org.naklab.lab.scenarios.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.experiment.Experiment;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunDocuments;
import org.naklab.lab.scenarios.record.RunResult;

/** Several runs of one scenario, one or more remedies, the same seeds for each. */
public record RemedyComparison(List<RunResult> results) {
    public RemedyComparison {
        results = List.copyOf(results);
    }

    /** Executes one run of the comparison. */
    public interface Run {
        RunResult execute(Remedy remedy, long seed) throws InterruptedException;
    }

    /**
     * Runs all remedies with a seed before the next seed, in turns, so that a slow change of the machine affects all of them.
     *
     * @param repeat number of runs for each remedy, with consecutive seeds
     * @return the runs that were finished; fewer if the user has cancelled
     */
    public static RemedyComparison run(
            List<Remedy> remedies, int repeat, long firstSeed, Cancellation cancellation, Run run)
            throws InterruptedException {
        List<RunResult> results = new ArrayList<>();
        new Experiment<>(
                        Experiment.Order.IN_TURNS,
                        run::execute,
                        (Trial<Remedy, RunResult> trial) -> results.add(trial.result()),
                        cancellation::isRequested)
                .run(remedies, firstSeed, repeat);
        return new RemedyComparison(results);
    }

    /** Returns the result of each remedy. */
    public List<RemedySummary> summaries() {
        return RemedySummary.of(results);
    }

    /** The worst of the runs'. */
    public Verdict verdict() {
        return Verdict.of(results.stream().map(RunResult::verdict).toList());
    }

    /** Returns what makes the runs of some remedies incomparable with those of others; empty if nothing does. */
    public Optional<String> note() {
        return plan().flatMap(plan -> Scenarios.find(plan.scenario())
                .flatMap(scenario -> scenario.comparisonNote(
                        plan.fidelity(),
                        summaries().stream().map(RemedySummary::remedy).toList())));
    }

    /** Returns what each remedy of the scenario costs. */
    public Map<Remedy, String> prices() {
        return plan().flatMap(plan -> Scenarios.find(plan.scenario()))
                .map(Scenario::prices)
                .orElse(Map.of());
    }

    private Optional<RunPlan> plan() {
        return results.stream().findFirst().map(first -> first.outcome().plan());
    }

    /** Returns the document of {@code --json}: the runs' own documents in the order in which they were run, and the summary. */
    public String text() {
        Optional<RunPlan> plan = plan();
        return Json.pretty(new Document(
                plan.map(RunPlan::scenario).orElse(null),
                plan.map(RunPlan::fidelity).orElse(null),
                verdict(),
                results.stream().map(RunDocuments::of).toList(),
                summaries(),
                note().orElse(null)));
    }

    /** As it is printed; of no run, nothing is known of scenario and fidelity. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Document(
            @Nullable String scenario,
            @Nullable Fidelity fidelity,
            Verdict verdict,
            List<RunDocument> runs,
            List<RemedySummary> summary,
            @Nullable String note) {}
}
