package org.naklab.lab.scenarios.record;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.cases.Truth;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.records.Stall;
import org.naklab.lab.records.latency.StaleQuotesRecord;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.StoryLine;
import org.naklab.lab.scenarios.Verdict;

/**
 * A finished run: what was seen, what that says about the prediction.
 *
 * @param staleQuotes computed when the run is recorded; {@code null}: before, and without a complete journal
 * @param unheld conditions for which a clean diagnosis was given up; {@code null}: none
 */
public record RunResult(
        RunOutcome outcome,
        List<Expectation> conditions,
        Verdict verdict,
        List<StoryLine> story,
        @Nullable StaleQuotesRecord staleQuotes,
        Truth.@Nullable Unheld unheld) {
    /** Creates the result of a run that is not recorded yet. */
    public RunResult(RunOutcome outcome, List<Expectation> conditions, Verdict verdict, List<StoryLine> story) {
        this(outcome, conditions, verdict, story, null, null);
    }

    /**
     * Judges a run. A diagnosis knows nothing of the prediction: where it found nothing and the prediction did not hold all the same, the
     * run is not clean, and the documents say that its cause cannot be told.
     */
    public static RunResult of(Scenario scenario, RunOutcome outcome) {
        List<Expectation> first = scenario.check(outcome);
        Truth.Unheld unheld = new Truth.Unheld(System.nanoTime(), unheld(first));
        Diagnosis diagnosis = outcome.diagnosis().besides(unheld.atNs(), unheld.lines());
        RunOutcome judged = outcome.withDiagnosis(diagnosis);
        List<Expectation> conditions = diagnosis.equals(outcome.diagnosis()) ? first : scenario.check(judged);
        // What a second look at the same run sees must not make it better than the first.
        Verdict verdict = Verdict.of(Stream.concat(first.stream(), conditions.stream())
                .map(Expectation::verdict)
                .toList());
        return new RunResult(
                judged,
                conditions,
                verdict,
                RunStory.tell(scenario, judged, verdict),
                null,
                diagnosis.equals(outcome.diagnosis()) ? null : unheld);
    }

    /** Returns this result with further evidence that could not be written. */
    RunResult withUnkept(Scenario scenario, List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        RunResult again = of(scenario, outcome.withUnkept(more));
        return again.unheld == null ? again.with(again.staleQuotes, unheld) : again;
    }

    /** Returns this result with the stale quotes of its journal; {@code null}: there are none. */
    RunResult withStaleQuotes(@Nullable StaleQuotesRecord known) {
        return with(known, unheld);
    }

    private RunResult with(@Nullable StaleQuotesRecord quotes, Truth.@Nullable Unheld conditionsUnheld) {
        return new RunResult(outcome, conditions, verdict, story, quotes, conditionsUnheld);
    }

    private static List<String> unheld(List<Expectation> conditions) {
        if (conditions.isEmpty()) {
            return List.of("nothing was checked");
        }
        return conditions.stream()
                .filter(condition -> condition.verdict() != Verdict.PASS)
                .map(condition -> condition.verdict().label() + ": " + condition.claim() + ": " + condition.figures())
                .toList();
    }

    /** Returns the stall that matters, as in {@code diagnosis.json}; empty if there was none. */
    public Optional<Stall> mainStall() {
        return RunStory.figures(outcome).stall();
    }

    /** The diagnosed cause, as in the documents. */
    public String diagnosis() {
        return outcome.diagnosis().cause().label();
    }
}
