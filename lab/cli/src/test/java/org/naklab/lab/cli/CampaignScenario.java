package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;

/** A campaign of real runs: the canary fails, and a seed has its row. */
@Matrix
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class CampaignScenario {
    private static final Path LAUNCHER = Path.of(System.getProperty("naklab.root"), "naklab")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path directory;

    @Test
    void shouldRunSeedsInProcessesOfTheirOwn() throws IOException {
        NaklabOutcome campaign = NaklabProcess.of(
                        List.of(
                                LAUNCHER.toString(),
                                "campaign",
                                "run",
                                "--scenario",
                                "baseline",
                                "--seeds",
                                "7..8",
                                "--runs",
                                directory.resolve("runs").toString(),
                                "--json",
                                "--",
                                "--duration",
                                "2",
                                "--rate",
                                "1000"),
                        directory)
                .outcome();

        JsonNode report = campaign.document();
        assertThat(report.path("canary").asText()).as(campaign.err()).isEqualTo("FAILED");
        assertThat(report.path("done").asInt()).isEqualTo(3);
        assertThat(report.path("arms").get(0).path("failed").path("trials").asInt()
                        + report.path("arms").get(0).path("unknown").asInt())
                .isEqualTo(2);
        assertThat(campaign.exitCode()).isBetween(0, 2);
    }
}
