package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.testing.FreePorts;

/** A run, and a receiver under watch, that scripts disturb from outside; and one that does nothing. */
@Timeout(400)
final class ForeignConfusionScenario {
    private static final int ATTEMPTS = 3;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "sigstop,process-paused,T ,",
        "healthy,clean,nothing was done,",
        "watch-mutex,lock-wait,ms of them in held,windows/1"
    })
    void shouldJudgeWhatWasMadeFromOutside(String disturbance, String cause, String measured, @Nullable String window)
            throws IOException {
        NaklabOutcome outcome =
                Again.whileInDoubt(ATTEMPTS, attempt -> isInDoubt(attempt, cause), () -> run(disturbance));
        JsonNode document = outcome.document();
        String leftOut = document.at("/leftOut/" + disturbance).asText();
        assumeTrue(leftOut.isEmpty(), disturbance + " cannot be made here: " + leftOut);
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        JsonNode attempts = document.path("attempts");
        JsonNode attempt = attempts.path(attempts.size() - 1);
        assertThat(attempt.path("cause").asText()).isEqualTo(cause);
        assertThat(attempt.path("judgement").asText()).isEqualTo("named");
        assertThat(attempt.at("/proof/text").asText()).contains(measured);
        assertThat(attempt.at("/proof/endedNs").asLong())
                .isGreaterThan(attempt.at("/proof/beganNs").asLong());
        assertThat(document.at("/score/named").asInt()).isOne();
        Path files = Path.of(attempt.path("runDirectory").asText()).resolve(window == null ? "" : window);
        assertThat(files.resolve("diagnosis.json")).exists();
    }

    /** A machine that takes the processors away is a cause as well; a run in which it did so shows nothing about the disturbance. */
    private static boolean isInDoubt(NaklabOutcome outcome, String cause) {
        JsonNode document = outcome.document();
        JsonNode last = document.at("/attempts/" + (document.path("attempts").size() - 1));
        return document.path("leftOut").isEmpty()
                && !last.path("cause").asText().equals(cause);
    }

    private NaklabOutcome run(String disturbance) throws IOException {
        try (NaklabProcess naklab = NaklabProcess.command(
                directory,
                "confusion",
                "--foreign",
                "--only",
                disturbance,
                "--loads",
                "none",
                "--seeds",
                "1",
                "--port",
                String.valueOf(FreePorts.pair()),
                "--runs",
                directory.resolve("runs").toString(),
                "--json")) {
            return naklab.outcome();
        }
    }
}
