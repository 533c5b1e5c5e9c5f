package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.process.Json;

/** Each cause is injected once and diagnosed; what the machine cannot make is left out with a reason. */
@Timeout(180)
final class ConfusionScenario {
    /** A busy machine can keep a fault from its prey. */
    private static final int ATTEMPTS = 3;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slow-callback",
                "cpu-preemption",
                "traffic-burst",
                "gc-or-safepoint",
                "network-loss",
                "slow-consumer",
                "process-paused",
                "machine-stalled"
            })
    void shouldDiagnoseWhatWasInjected(String cause) throws IOException {
        NaklabOutcome outcome = run(cause);
        for (int i = 1; i < ATTEMPTS && outcome.exitCode() == 2; i++) {
            outcome = run(cause);
        }
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        JsonNode document = Json.parse(outcome.out());
        assertThat(document.path("diagnosis").asText()).isEqualTo(cause);
        assertThat(document.path("messages").path("missing").asLong()).isZero();
    }

    private NaklabOutcome run(String cause) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.runScenario(cause, directory, "--json")) {
            int code = naklab.awaitExit();
            return new NaklabOutcome(code, naklab.out(), naklab.err());
        }
    }

    /** What a run left behind. */
    private record NaklabOutcome(int exitCode, String out, String err) {}
}
