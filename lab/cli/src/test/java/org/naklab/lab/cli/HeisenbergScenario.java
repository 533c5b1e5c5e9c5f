package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.testing.Matrix;

/** Few short runs: that each level is observed as it says, not what the answer is. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class HeisenbergScenario {
    @TempDir
    private Path directory;

    @Test
    void shouldRunTheSameSeedsWithNoNormalAndFullInstruments() throws IOException {
        String reason = KernelRecorder.whyNot(RecorderSource.BPF);
        assumeThat(reason).as("full instruments").isEmpty();

        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "heisenberg",
                        "baseline",
                        "--repeat",
                        "1",
                        "--rate",
                        "1000",
                        "--duration",
                        "1",
                        "--runs",
                        directory.resolve("runs").toString(),
                        "--json")
                .outcome();

        JsonNode document = outcome.document();
        assertThat(outcome.exitCode()).as("one run is not enough for an answer").isEqualTo(2);
        assertThat(document.path("levels"))
                .extracting(level -> level.path("level").asText())
                .containsExactly("none", "normal", "full");
        assertThat(document.path("levels")).allMatch(level -> level.path("runs").asInt() == 1);
        assertThat(readings("none")).isEmpty();
        assertThat(readings("normal")).isNotEmpty().noneMatch(line -> line.contains("of all threads:"));
        assertThat(readings("full")).anyMatch(line -> line.matches(".*of all threads: [1-9]\\d* records"));
    }

    /** Returns what the instruments of the run with that level read. */
    private List<String> readings(String level) throws IOException {
        List<String> readings = new ArrayList<>();
        int runs = 0;
        try (Stream<Path> files = Files.walk(directory.resolve("runs"))) {
            for (Path file : files.filter(path ->
                            path.endsWith("run.json") && !path.toString().contains("latest"))
                    .toList()) {
                JsonNode run = Json.parse(Files.readString(file));
                if (run.path("plan").path("observedBy").asText("normal").equals(level)) {
                    runs++;
                    run.path("instruments").path("reading").forEach(line -> readings.add(line.asText()));
                }
            }
        }
        assertThat(runs).as("runs with the level " + level).isEqualTo(1);
        return readings;
    }
}
