package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.binding.NativeLibraries;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.mystery.NaturalPressure;
import org.naklab.lab.scenarios.runner.ScenarioRun;
import org.naklab.testing.Matrix;

/** The mystery in control groups of this machine, without containers: memory gets short, and nobody evicts anything on purpose. */
@Matrix
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class NaturalMysteryScenario {
    /** What the processes may take to start and to end. */
    private static final long AROUND_NS = TimeUnit.MINUTES.toNanos(1);

    /** Kept when a test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @BeforeEach
    void requireControlGroups() {
        assumeThat(NativeLibraries.unavailableReason()).isEmpty();
        assumeThat(SqueezedGroup.obstacle(directory)).isEmpty();
    }

    @Test
    void shouldReproduceTheIncidentWithNothingForced() throws IOException, SQLException {
        JsonNode document = runs().pass("--fidelity", "natural");
        MysteryRuns.assertIncident(document, "natural", "late-binding-major-fault");
        assertThat(document.path("stalls"))
                .filteredOn(stall -> stall.path("cause").asText().equals("late-binding-major-fault"))
                .singleElement()
                .satisfies(
                        stall -> assertThat(stall.path("majorFaults").asLong()).isPositive());
        assertEvictedBeforeTheStall();
        assertNoNakBeforeEviction();
        assertMemoryIsShortAgainAndAgain();
        assertThat(Files.exists(Path.of("/sys/fs/cgroup/memory", groupName()))).isFalse();
    }

    /** The same squeeze, and the symbol is bound late all the same. */
    @Test
    void shouldBeCuredByLockedPages() throws IOException {
        JsonNode document = runs().pass("--fidelity", "natural", "--remedy", "locked-pages");
        assertThat(document.path("naks").asLong()).isZero();
        assertThat(document.path("diagnosis").asText()).isEqualTo("clean");
    }

    /** What the database is asked: no stall of a late bind before the kernel evicted pages. */
    private void assertEvictedBeforeTheStall() throws IOException {
        JsonNode run =
                Json.parse(Files.readAllBytes(NaklabProcess.latest(directory).resolve("run.json")));
        assertThat(run.path("memory").path("evictionBeganNs").asLong()).isPositive();
        long atNs = 0;
        for (JsonNode stall : run.path("stalls")) {
            if (stall.path("cause").asText().equals("late-binding-major-fault")) {
                atNs = stall.path("atNs").asLong();
            }
        }
        assertThat(run.path("memory").path("evictionBeganNs").asLong()).isLessThan(atNs - TimeUnit.SECONDS.toNanos(1));
    }

    /** The query is that of the page on the history. Who decides the order is in docs/notes/fidelity.md: the call is armed when memory is short. */
    private void assertNoNakBeforeEviction() throws IOException, SQLException {
        String run = NaklabProcess.latest(directory).toRealPath().toString();
        List<Map<String, Object>> rows = HistoryQueries.answers(directory.resolve("runs/history.db"))
                .getOrDefault(HistoryQueries.NAKS_BESIDE_EVICTION, List.of());
        assertThat(rows)
                .filteredOn(row -> run.equals(row.get("run_directory")))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row).containsEntry("scenario", "mystery");
                    assertThat(number(row, "naks_before")).isZero();
                    assertThat(number(row, "naks_after")).isPositive();
                    assertThat(number(row, "first_stall_s")).isPositive();
                });
    }

    private static double number(Map<String, Object> row, String column) {
        return ((Number) Objects.requireNonNull(row.get(column), column)).doubleValue();
    }

    /** From when the kernel evicted pages on, free memory is a saw. */
    private void assertMemoryIsShortAgainAndAgain() throws IOException {
        Path run = NaklabProcess.latest(directory);
        long fromNs = Json.parse(Files.readAllBytes(run.resolve("run.json")))
                .path("memory")
                .path("evictionBeganNs")
                .asLong();
        assertThat(FreeMemorySaw.teeth(run.resolve("samples.csv.gz"), fromNs))
                .as("times that free memory rose after it had been short")
                .isGreaterThanOrEqualTo(2);
    }

    private String groupName() throws IOException {
        return "naklab-" + NaklabProcess.latest(directory).getFileName();
    }

    private MysteryRuns runs() {
        return new MysteryRuns(directory, ScenarioRun.longestNs(NaturalPressure.SHORTEST_NS) + AROUND_NS);
    }
}
