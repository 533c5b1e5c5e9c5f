package org.naklab.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.scenarios.Verdict;

/** The view that programs for change points read. */
@Timeout(60)
final class RunMetricTest {
    private static final int NIGHTS = 40;
    private static final int STEP_AT = 25;

    @TempDir
    private Path runs;

    /** A row of the view, as a program for change points wants it. */
    private record Value(String commit, double value) {}

    /** A night's campaign at its commit: one seed whose longest stall is 100 ms, and 10 % more from one commit on. */
    private void addNight(CampaignStore store, int night) {
        String time = String.format("2026-10-%02dT02:00:00.000Z", 1 + night % 30);
        String day = night < 30 ? time : time.replace("2026-10", "2026-11");
        CampaignPlan plan = CampaignFixture.plan(night, night, List.of(), null);
        String name = "night-" + night;
        store.begin(name, plan, "commit-" + night, day);
        double stallMs = (100 + night % 3) * (night >= STEP_AT ? 1.1 : 1);
        store.recordAll(
                name,
                List.of(
                        row(new Cell("baseline", "none"), night, Verdict.PASS, stallMs, day),
                        row(new Cell("baseline", "other"), night, Verdict.UNKNOWN, 9_999, day),
                        row(Cell.CANARY, night, Verdict.FAIL, 9_999, day)));
    }

    private static TrialRow row(Cell cell, long seed, Verdict verdict, double stallMs, String time) {
        return new TrialRow(
                cell,
                seed,
                new SeedResult(verdict, null, "none", "naklab run", 1, stallMs, 0, 0, List.of(), null),
                1,
                null,
                "host",
                time);
    }

    private static List<Value> values(History history) {
        return history.transact(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT commit_id, value FROM run_metric"
                            + " WHERE metric = 'longest_stall_ms' ORDER BY time_utc");
                    ResultSet rows = statement.executeQuery()) {
                List<Value> values = new ArrayList<>();
                while (rows.next()) {
                    values.add(new Value(rows.getString(1), rows.getDouble(2)));
                }
                return values;
            }
        });
    }

    @Test
    void shouldShowAPlantedStepAtItsCommitAndNothingElse() {
        HistoryUrl url = HistoryUrl.inRuns(runs);
        CampaignStore store = new CampaignStore(url);
        for (int night = 0; night < NIGHTS; night++) {
            addNight(store, night);
        }
        store.begin("rehearsal", CampaignFixture.plan(1, 1, List.of(), 0.5), null, CampaignFixture.NOW);
        store.recordAll(
                "rehearsal", List.of(row(new Cell("baseline", "none"), 1, Verdict.FAIL, 9_999, CampaignFixture.NOW)));

        List<Value> values = values(History.open(url));
        assertThat(values)
                .as("no canary, no rehearsal, nothing without a verdict")
                .hasSize(NIGHTS);
        int step = 1;
        double largest = 0;
        for (int i = 1; i < values.size(); i++) {
            double rise = mean(values.subList(i, values.size())) - mean(values.subList(0, i));
            if (rise > largest) {
                largest = rise;
                step = i;
            }
        }
        assertThat(values.get(step).commit()).isEqualTo("commit-" + STEP_AT);
        assertThat(largest / mean(values.subList(0, step))).isBetween(0.08, 0.12);
    }

    private static double mean(List<Value> values) {
        return values.stream().mapToDouble(Value::value).average().orElseThrow();
    }
}
