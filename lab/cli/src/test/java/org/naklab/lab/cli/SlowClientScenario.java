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

/** A gateway with a thousand customers, some of which read slowly or stop. */
@Matrix
@Timeout(value = 200, unit = TimeUnit.SECONDS)
final class SlowClientScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldDisturbNeitherTheGatewayNorTheOtherClients() throws IOException {
        NaklabOutcome outcome = LiveRun.make("SlowClientScenario", this::run);
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();

        JsonNode record = Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
        JsonNode customers = record.path("customers").get(1);
        assertThat(customers.path("server").asText()).isEqualTo("gateway-1");
        assertThat(customers.path("ended").asInt()).isEqualTo(1_000);
        assertThat(customers.path("disconnected").asInt()).isPositive();
        assertThat(customers.path("otherBooks").asInt()).isZero();
        assertThat(record.path("customersFaults")
                        .path("stopped-clients")
                        .at("/proof/fired")
                        .asBoolean())
                .isTrue();
    }

    private NaklabOutcome run() {
        try (NaklabProcess naklab = NaklabProcess.runScenario("slow-client", directory, "--json")) {
            return naklab.outcome();
        }
    }
}
