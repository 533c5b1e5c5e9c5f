package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Json;
import org.naklab.lab.scenarios.Scenarios;
import org.naklab.lab.scenarios.convoy.ConvoyReport;

/** Writers that wait for each other's lock, and the same writers that take it where it is needed. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class LockConvoyScenario {
    private static final int ATTEMPTS = 3;

    @TempDir
    private Path directory;

    @BeforeEach
    void assumeLocksAreListed() {
        assumeThat(Scenarios.find("lock-convoy").orElseThrow().obstacle()).isEmpty();
    }

    @Test
    void shouldNameTheLockAndBeCuredByTakingItWhereItIsNeeded() throws IOException {
        ConvoyReport wide = pass();
        assertThat(wide.lockWait()).isNotNull().satisfies(wait -> {
            assertThat(wait.file()).isEqualTo(wide.lock());
            assertThat(wait.call()).isEqualTo("fcntl(F_SETLKW)");
            assertThat(wait.holder()).matches("writer-[1-4] \\(pid \\d+\\)");
        });
        assertThat(story()).contains("they waited in fcntl(F_SETLKW)", "for the lock of snapshot.lock,", "held by ");

        ConvoyReport narrow = pass("--remedy", "narrow-lock");
        assertThat(story()).doesNotContain("next ");
        assertThat(casesPerSecond(narrow)).isGreaterThanOrEqualTo(2 * casesPerSecond(wide));
    }

    private static double casesPerSecond(ConvoyReport report) {
        return report.writers().stream()
                .mapToDouble(writer -> 1e9 * (writer.plain() + writer.snapshots()) / writer.elapsedNs())
                .sum();
    }

    private ConvoyReport pass(String... options) throws IOException {
        NaklabOutcome outcome = Again.whileInDoubt(ATTEMPTS, NaklabOutcome::isInDoubt, () -> run(options));
        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        return ConvoyReport.read(NaklabProcess.latest(directory)).orElseThrow();
    }

    private NaklabOutcome run(String... options) {
        try (NaklabProcess naklab = NaklabProcess.runScenario("lock-convoy", directory, options)) {
            return naklab.outcome();
        }
    }

    private String story() throws IOException {
        return Json.read(NaklabProcess.latest(directory).resolve("run.json"), JsonNode.class)
                .path("story")
                .toString();
    }
}
