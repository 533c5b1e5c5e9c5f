package org.naklab.lab.scenarios.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.diagnosis.Confidence;
import org.naklab.lab.diagnosis.Diagnosis;
import org.naklab.lab.process.Role;
import org.naklab.lab.replica.transport.IdleMode;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Diagnoses;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.InstrumentCoverage;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.Workload;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.record.RunRecorder;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.messaging.TopicChannels;
import org.naklab.messaging.TransportProfile;
import org.naklab.messaging.publication.RateLimitMode;

/** No document says {@code clean} beside a verdict other than PASS. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CleanVerdictTest {
    private static final Diagnosis CLEAN = diagnosis(Cause.CLEAN);

    @TempDir
    private Path directory;

    @Test
    void shouldCallCleanWhatPassed() {
        RunResult result = RunResult.of(judging(Verdict.PASS, Verdict.PASS), outcome(CLEAN));
        assertThat(result.verdict()).isEqualTo(Verdict.PASS);
        assertThat(result.diagnosis()).isEqualTo("clean");
    }

    @Test
    void shouldNotCallCleanWhatFailedOrIsUnknown() {
        for (Verdict verdict : List.of(Verdict.FAIL, Verdict.UNKNOWN)) {
            RunResult result = RunResult.of(judging(Verdict.PASS, verdict), outcome(CLEAN));
            assertThat(result.verdict()).isEqualTo(verdict);
            assertThat(result.diagnosis()).isEqualTo("cannot-tell");
            assertThat(result.outcome().diagnosis().confidence()).isEqualTo(Confidence.CANNOT_TELL);
            assertThat(result.outcome().diagnosis().evidence()).singleElement().satisfies(finding -> assertThat(
                            finding.figure())
                    .isEqualTo(verdict.label() + ": claim 1: figures"));
        }
    }

    @Test
    void shouldNotCallCleanWhatNobodyChecked() {
        RunResult result = RunResult.of(judging(), outcome(CLEAN));
        assertThat(result.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(result.diagnosis()).isEqualTo("cannot-tell");
    }

    @Test
    void shouldKeepACauseThatWasFound() {
        RunResult result = RunResult.of(judging(Verdict.FAIL), outcome(diagnosis(Cause.NETWORK_LOSS)));
        assertThat(result.diagnosis()).isEqualTo("network-loss");
    }

    /** The diagnosis can be written only before it is known whether the record can: what the record says later holds. */
    @Test
    void shouldDoubtARunWhoseDiagnosisCannotBeWritten() throws Exception {
        Path blocked = Files.createDirectories(directory.resolve("runs/baseline/run"));
        Files.createDirectories(blocked.resolve("diagnosis.json/in-the-way"));
        Scenario scenario = judging(Verdict.PASS);
        RunOutcome outcome = outcome(CLEAN, blocked);
        RunResult result;
        try (RunRecorder recorder = RunRecorder.begin(scenario, outcome.plan(), "test", List.of())) {
            result = recorder.record(() -> RunResult.of(scenario, outcome), unfinished -> {});
        }

        assertThat(result.outcome().observation().unkept())
                .singleElement()
                .asString()
                .contains("diagnosis.json");
        assertThat(result.diagnosis()).isEqualTo("cannot-tell");
        JsonNode record = Json.read(blocked.resolve("run.json"), JsonNode.class);
        assertThat(record.path("verdict").asText()).isEqualTo("unknown");
        assertThat(record.path("diagnosis").asText()).isEqualTo("cannot-tell");
        assertThat(record.path("troubles").toString()).contains("diagnosis.json");
    }

    private static Diagnosis diagnosis(Cause cause) {
        return Diagnoses.of(cause, Confidence.CERTAIN);
    }

    private RunOutcome outcome(Diagnosis diagnosis) {
        return outcome(diagnosis, directory);
    }

    private static RunOutcome outcome(Diagnosis diagnosis, Path run) {
        RunPlan plan = new RunPlan(
                "baseline",
                Fidelity.NONE,
                Remedy.NONE,
                42,
                new RunPlan.Traffic(new Baseline().workload(), RateLimitMode.TRANSPORT, null),
                new RunPlan.Transport(TransportProfile.LBTRM, TopicChannels.onLoopback(23_000), IdleMode.BACKOFF),
                new RunPlan.Placement(run, "aeron-"),
                List.of());
        return new RunOutcome(
                plan,
                Map.of("mds", Role.SERVICE),
                null,
                List.of(),
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                InstrumentCoverage.none(),
                diagnosis,
                0,
                1);
    }

    private enum Claims implements Claim {
        OTHER;

        @Override
        public String template() {
            return "claim %s";
        }
    }

    /** A scenario that finds these; of a run that was not kept as a whole it says so, as every scenario does. */
    private static Scenario judging(Verdict... verdicts) {
        return new Scenario() {
            @Override
            public String name() {
                return "baseline";
            }

            @Override
            public String summary() {
                return "Finds what it is told to find";
            }

            @Override
            public Workload workload() {
                return new Baseline().workload();
            }

            @Override
            public List<Expectation> check(RunOutcome outcome) {
                List<Expectation> conditions = new ArrayList<>();
                for (int i = 0; i < verdicts.length; i++) {
                    conditions.add(new Expectation(Claims.OTHER, String.valueOf(i), verdicts[i], "figures"));
                }
                @Nullable
                String unkept =
                        outcome.observation().unkept().stream().findFirst().orElse(null);
                if (unkept != null) {
                    conditions.add(new Expectation(Claims.OTHER, "kept", Verdict.UNKNOWN, unkept));
                }
                return conditions;
            }
        };
    }
}
