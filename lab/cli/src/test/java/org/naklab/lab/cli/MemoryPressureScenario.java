package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.MemoryGroup;
import org.naklab.testing.Live;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** A service whose control group has too little memory for what is written in it. */
@Live(runs = 1)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class MemoryPressureScenario {
    private static final long MIB = 1 << 20;

    private Path directory = Path.of("");

    /** On the disk of the build: pages of files in memory cannot be reclaimed. */
    @BeforeEach
    void createDirectory() throws IOException {
        assumeThat(MemoryGroup.obstacle()).isEmpty();
        directory = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "memory-pressure");
        assumeThat(Files.getFileStore(directory).type()).isNotEqualTo("tmpfs");
    }

    @AfterEach
    void deleteDirectory() {
        IoUtil.delete(directory.toFile(), true);
    }

    @Test
    void shouldLoseDatagramsByAPageFaultOfTheReceiptThread() throws IOException {
        assumeThat(SqueezedGroup.obstacle(directory)).isEmpty();
        JsonNode record = pass();
        assertThat(record.path("fidelity").asText()).isEqualTo("natural");
        JsonNode account = account();
        assertThat(account.path("limitHits").asLong()).isPositive();
        assertThat(account.path("lowestFreeBytes").asLong()).isLessThan(4 * MIB);
        assertThat(account.path("refaultedPages").asLong()).isPositive();
        assertThat(record.path("story").toString()).contains("memory   the service's control group was at its limit");
        assertThat(record.path("pageFaults").findValuesAsText("file"))
                .as("the table of the service")
                .anyMatch(file -> file.endsWith("/reference-data.dat"));
        Path run = NaklabProcess.latest(directory).toRealPath();
        assertThat(run.resolve("reference-data.dat")).doesNotExist();
        assertThat(new MemoryGroup("naklab-" + runName(), 0).directory())
                .as("the control group is removed")
                .doesNotExist();
    }

    @Test
    @Matrix
    void shouldKeepThePoliteJournalOutOfThePageCache() throws IOException {
        JsonNode record = pass("--remedy", "polite-journal");
        assertThat(record.path("replay").asText()).contains(" --remedy polite-journal");
        assertThat(account().path("journalCachedBytes").asLong()).isLessThan(24 * MIB);
        assertThat(account().path("journalBytes").asLong()).isGreaterThan(48 * MIB);
    }

    private JsonNode pass(String... options) throws IOException {
        NaklabOutcome outcome = LiveRun.make("MemoryPressureScenario", () -> run(options));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class);
    }

    private NaklabOutcome run(String... options) throws IOException {
        String[] withJson =
                Stream.concat(Stream.of(options), Stream.of("--json")).toArray(String[]::new);
        try (NaklabProcess naklab = NaklabProcess.runScenario("memory-pressure", directory, withJson)) {
            NaklabOutcome outcome = naklab.outcome();
            ReplayedCase.assertSame(NaklabProcess.latest(directory));
            return outcome;
        }
    }

    private String runName() {
        try {
            return NaklabProcess.latest(directory)
                    .toRealPath()
                    .getFileName()
                    .toString()
                    .toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What the process itself reported at the end of the flow. */
    private JsonNode account() throws IOException {
        return NaklabProcess.reported(directory, "MEMORY_ACCOUNTED", "mds");
    }
}
