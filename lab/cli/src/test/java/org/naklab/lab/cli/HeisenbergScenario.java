package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.lab.instruments.linux.ThreadAffinity;
import org.naklab.lab.tools.tune.observer.ObservationLevel;
import org.naklab.testing.Matrix;

/** That each level is observed as it says, whatever the answer is; and a race of which the answer is known. */
@Matrix
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class HeisenbergScenario {
    private static final int ROUNDS = 12;

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

    /**
     * A race that is lost as long as the switches of one process take no longer than those of its child. The program itself counts how often, and measures no time. How
     * often it is lost falls with the level of observation, by counts whose 95 % intervals do not meet.
     */
    @Test
    void shouldFindARaceThatObservingHides() throws IOException, InterruptedException {
        assumeThat(ObservationLevel.STACKS.whyNot()).as("the kernel recorder").isEmpty();
        assumeThat(ThreadAffinity.allowed()).as("CPUs").hasSizeGreaterThan(1);
        Path program = StallingReceiver.compile(directory, "racing", "racing.c");

        NaklabOutcome outcome = NaklabProcess.command(
                        directory,
                        "heisenberg",
                        "--repeat",
                        Integer.toString(ROUNDS),
                        "--json",
                        "--",
                        program.toString())
                .outcome();

        JsonNode document = outcome.document();
        assertThat(document.path("scenario").asText()).as(outcome.err()).isEqualTo("racing");
        Map<String, JsonNode> levels = new HashMap<>();
        document.path("levels").forEach(level -> levels.put(level.path("level").asText(), level));
        assertThat(levels).containsKeys("none", "proc", "records", "stacks");
        assertThat(levels.values()).allMatch(level -> level.path("runs").asInt() == ROUNDS);
        JsonNode none = Objects.requireNonNull(levels.get("none"));
        for (String level : List.of("records", "stacks")) {
            JsonNode observed = Objects.requireNonNull(levels.get(level));
            assertThat(observed.path("high").asDouble())
                    .as(outcome.out())
                    .isLessThan(none.path("low").asDouble());
            assertThat(observed.path("answer").asText()).isEqualTo("less often");
        }
        assertThat(document.path("answer").asText()).contains("with stacks: less often");
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
