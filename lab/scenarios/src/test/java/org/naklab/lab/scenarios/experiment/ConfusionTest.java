package org.naklab.lab.scenarios.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.experiment.Trial;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.MysteryRun;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.mystery.Mystery;
import org.naklab.lab.scenarios.record.RunResult;

@Timeout(60)
final class ConfusionTest {
    private final Deque<RunResult> results = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final Cancellation cancellation = new Cancellation();
    private String refusal = "";
    private String obstacle = "";

    @Test
    void shouldCountRunsByDiagnosedCause() throws Exception {
        ends(Verdict.PASS, Cause.SLOW_CALLBACK);
        ends(Verdict.PASS, Cause.SLOW_CALLBACK);
        ConfusionMatrix matrix = run(2);
        assertThat(matrix.rows()).isEqualTo(Map.of(Cause.SLOW_CALLBACK, Map.of(Cause.SLOW_CALLBACK, 2)));
        assertThat(matrix.isSuccess()).isTrue();
        assertThat(told).containsExactly("run 7", "counted 7", "run 8", "counted 8");
    }

    @Test
    void shouldNotSucceedWithAWrongDiagnosis() throws Exception {
        ends(Verdict.PASS, Cause.GC_OR_SAFEPOINT);
        ConfusionMatrix matrix = run(1);
        assertThat(matrix.isDiagonal()).isFalse();
        assertThat(matrix.isSuccess()).isFalse();
    }

    /** The diagnosis is right, but the run contradicts the prediction otherwise. */
    @Test
    void shouldNotSucceedWithAFailedRun() throws Exception {
        ends(Verdict.PASS, Cause.SLOW_CALLBACK);
        ends(Verdict.FAIL, Cause.SLOW_CALLBACK);
        ConfusionMatrix matrix = run(2);
        assertThat(matrix.isDiagonal()).isTrue();
        assertThat(matrix.failed()).isEqualTo(Map.of(Cause.SLOW_CALLBACK, 1));
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldCountEveryAttemptAndJudgeTheLast() throws Exception {
        ends(Verdict.UNKNOWN, Cause.MACHINE_STALLED);
        ends(Verdict.PASS, Cause.SLOW_CALLBACK);
        ConfusionMatrix matrix = run(1);
        assertThat(matrix.attempts()).isEqualTo(Map.of(Cause.SLOW_CALLBACK, 2));
        assertThat(matrix.rows()).isEqualTo(Map.of(Cause.SLOW_CALLBACK, Map.of(Cause.SLOW_CALLBACK, 1)));
        assertThat(told).containsExactly("run 7", "repeated 7", "gate", "run 7", "counted 7");
    }

    @Test
    void shouldRepeatARunAtMostTwice() throws Exception {
        for (int i = 0; i < 5; i++) {
            ends(Verdict.UNKNOWN, Cause.MACHINE_STALLED);
        }
        ConfusionMatrix matrix = run(1);
        assertThat(matrix.attempts()).isEqualTo(Map.of(Cause.SLOW_CALLBACK, 3));
        assertThat(results).hasSize(2);
        assertThat(matrix.isSuccess()).isFalse();
    }

    @Test
    void shouldLeaveOutWhatTheMachineRefuses() throws Exception {
        refusal = "it has one core";
        ConfusionMatrix matrix = run(1);
        assertThat(told).containsExactly("skipped it has one core");
        assertThat(matrix.isSuccess()).as("nothing was run").isFalse();
        assertThat(document(matrix).path("leftOut").path("slow-callback").asText())
                .isEqualTo("it has one core");
    }

    /** The machine offers what the scenario needs, but this user may not inject its fault. */
    @Test
    void shouldLeaveOutWhatThisUserCannotInject() throws Exception {
        obstacle = "run as root";
        ConfusionMatrix matrix = run(1);
        assertThat(told).containsExactly("skipped run as root");
        assertThat(matrix.attempts()).isEmpty();
    }

    @Test
    void shouldStopWhenTheUserCancels() throws Exception {
        ends(Verdict.UNKNOWN, Cause.MACHINE_STALLED);
        cancellation.request();
        assertThat(run(3).attempts()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldWriteTheCountsIntoTheDocument() throws Exception {
        ends(Verdict.UNKNOWN, Cause.MACHINE_STALLED);
        ends(Verdict.FAIL, Cause.SLOW_CALLBACK);
        JsonNode document = document(run(1));
        assertThat(document.toString())
                .isEqualTo("{\"matrix\":{\"slow-callback\":{\"slow-callback\":1}},\"attempts\":{\"slow-callback\":2},"
                        + "\"failed\":{\"slow-callback\":1},\"leftOut\":{}}");
    }

    @Test
    void shouldRefuseAnUnknownCauseBeforeTheFirstRun() {
        assertThat(Confusion.cases(List.of(new Injecting()), List.of("slow-callback")))
                .hasSize(1);
        assertThat(Confusion.cases(List.of(new Injecting()), List.of())).hasSize(1);
        assertThatThrownBy(() -> Confusion.cases(List.of(new Injecting()), List.of("moonlight")))
                .isInstanceOf(UsageException.class)
                .hasMessage("no scenario injects the cause 'moonlight'; there are: slow-callback");
    }

    private void ends(Verdict verdict, Cause diagnosed) {
        MysteryRun run = new MysteryRun(Remedy.NONE);
        run.diagnosed = diagnosed;
        results.add(new RunResult(run.outcome(), List.of(), verdict, List.of()));
    }

    private ConfusionMatrix run(int seeds) throws InterruptedException {
        return new Confusion(
                        Confusion.cases(List.of(new Injecting()), List.of()),
                        new RecordedRuns(),
                        (cancelled, teller) -> told.add("gate"),
                        new Told())
                .run(seeds, 7, cancellation);
    }

    private static JsonNode document(ConfusionMatrix matrix) throws IOException {
        return new ObjectMapper().readTree(matrix.text());
    }

    private final class RecordedRuns implements Confusion.Runs {
        @Override
        public void check(Confusion.Case chosen, long seed) {}

        @Override
        public Confusion.Attempt run(Confusion.Case chosen, long seed, Cancellation cancelled) {
            told.add("run " + seed);
            return new Confusion.Attempt(results.remove(), Path.of("run"));
        }
    }

    private final class Told implements Confusion.Listener {
        @Override
        public void onSkipped(Cause cause, String reason) {
            told.add("skipped " + reason);
        }

        @Override
        public void onTrial(Trial<Confusion.Case, Confusion.Attempt> trial) {
            told.add((trial.isCounted() ? "counted " : "repeated ") + trial.seed());
        }

        @Override
        public void onWaiting(String what) {
            told.add(what);
        }
    }

    private final class Injecting implements Scenario {
        @Override
        public String name() {
            return "injecting";
        }

        @Override
        public String summary() {
            return "Injects a slow callback";
        }

        @Override
        public Workload workload() {
            return new Mystery().workload();
        }

        @Override
        public Map<Cause, Fidelity> causes() {
            return Map.of(Cause.SLOW_CALLBACK, Fidelity.NONE);
        }

        @Override
        public Optional<String> refusal(Fidelity fidelity, Remedy remedy) {
            return Optional.of(refusal).filter(reason -> !reason.isEmpty());
        }

        @Override
        public Optional<String> obstacle() {
            return Optional.of(obstacle).filter(reason -> !reason.isEmpty());
        }

        @Override
        public List<Expectation> check(RunOutcome outcome) {
            return List.of();
        }
    }
}
