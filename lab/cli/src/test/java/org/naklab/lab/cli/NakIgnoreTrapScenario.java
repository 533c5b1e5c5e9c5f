package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** A datagram that is lost twice waits for the exchange's ignore interval to end. */
@Matrix
@Timeout(value = 200, unit = TimeUnit.SECONDS)
final class NakIgnoreTrapScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldCostAboutASecondAndLoseNothing() throws IOException {
        NaklabOutcome outcome = LiveRun.make("NakIgnoreTrapScenario", this::run);
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();

        JsonNode record = Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
        JsonNode figures = record.findPath("datagram-loss").at("/proof/figures");
        assertThat(figures.path("firings").asLong()).isEqualTo(4);
        assertThat(figures.path("longestRepairNs").asLong()).isGreaterThanOrEqualTo(1_000_000_000L);
        assertThat(record.path("conditions").toString()).contains("came back only after the ignore interval");
    }

    private NaklabOutcome run() {
        try (NaklabProcess naklab = NaklabProcess.runScenario("nak-ignore-trap", directory, "--json")) {
            return naklab.outcome();
        }
    }
}
