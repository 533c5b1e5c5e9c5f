package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineReader;
import org.naklab.testing.Matrix;

/** Runs each query of docs/reference/history.md against a database that real runs filled, and holds the answers against their files. */
@Matrix
@Timeout(value = 600, unit = TimeUnit.SECONDS)
final class HistoryQueriesScenario {
    private static final int QUERIES = 10;

    @TempDir
    private Path directory;

    @Test
    void shouldAnswerEachQueryOfThePage() throws Exception {
        MysteryRuns mystery = new MysteryRuns(directory);
        mystery.pass("--fidelity", "audited");
        mystery.pass("--fidelity", "audited", "--remedy", "bigger-buffer");
        NaklabOutcome unused = NaklabOutcome.passed("HistoryQueriesScenario", this::runWithEviction);
        Path eviction = NaklabProcess.latest(directory);

        Map<Integer, List<Map<String, Object>>> answers = HistoryQueries.answers(directory.resolve("runs/history.db"));

        assertThat(answers).hasSize(QUERIES).allSatisfy((number, rows) -> assertThat(rows)
                .as("query " + number)
                .isNotEmpty());
        assertNaksBesideEviction(answers.getOrDefault(2, List.of()), eviction);
        assertThat(answers.getOrDefault(3, List.of())).anySatisfy(row -> assertThat(row)
                .containsEntry("cause", "late-binding-delay")
                .containsEntry("phase_ms", 0));
        assertRemedies(answers.getOrDefault(4, List.of()));
        assertThat(answers.getOrDefault(5, List.of()))
                .extracting(row -> row.get("cause"))
                .contains("late-binding-delay");
        assertThat(answers.getOrDefault(6, List.of()))
                .extracting(row -> row.get("fault"))
                .contains("lazy-binding", "added-page-eviction");
        assertThat(answers.getOrDefault(7, List.of()))
                .extracting(row -> row.get("link"))
                .contains("STALL", "NAK_SENT", "REPAIRED");
        assertThat(answers.getOrDefault(8, List.of()).get(0)).containsEntry("name", "mds");
        assertThat(answers.getOrDefault(9, List.of()))
                .allSatisfy(row -> assertThat(row.get("series")).asString().doesNotContain("#", ":"));
    }

    /** Loses datagrams all the time, and evicts pages in the middle. */
    private NaklabOutcome runWithEviction() {
        try (NaklabProcess naklab = NaklabProcess.run(
                directory,
                "--rate",
                "2000",
                "--duration",
                "5",
                "--fault",
                "datagram-loss:probability=3%@+300ms",
                "--fault",
                "page-eviction@+2s")) {
            return naklab.outcome();
        }
    }

    private static void assertNaksBesideEviction(List<Map<String, Object>> rows, Path run) throws IOException {
        Map<String, Object> row = rows.get(0);
        long naks = TimelineReader.readWhole(run.resolve("timeline.jsonl")).stream()
                .filter(event -> event.type() == TimelineEventType.NAK_SENT)
                .mapToLong((TimelineEvent event) -> event.longDetail("naks", 0))
                .sum();
        assertThat(row.get("run_directory")).isEqualTo(run.toRealPath().toString());
        long before = ((Number) row.getOrDefault("naks_before", -1)).longValue();
        long after = ((Number) row.getOrDefault("naks_after", -1)).longValue();
        assertThat(before).as("NAKs before eviction").isPositive();
        assertThat(after).as("NAKs after eviction").isPositive();
        assertThat(before + after).isEqualTo(naks);
    }

    private static void assertRemedies(List<Map<String, Object>> rows) {
        assertThat(rows).extracting(row -> row.get("remedy")).containsExactlyInAnyOrder("none", "bigger-buffer");
        for (Map<String, Object> row : rows) {
            assertThat((Double) row.get("least_p999_ms"))
                    .as("the stall remains in p99.9: " + row)
                    .isGreaterThan(100);
            boolean isWithoutRemedy = "none".equals(row.get("remedy"));
            assertThat(((Number) row.getOrDefault("naks", -1)).longValue() > 0)
                    .as(row.toString())
                    .isEqualTo(isWithoutRemedy);
        }
    }
}
