package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.records.latency.LatencyRecord;
import org.naklab.lab.records.latency.StaleQuotesRecord;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ComparisonTest {
    private static final RunRow INCIDENT =
            TestRuns.mystery("2026-11-20T10:00:00.000Z", 7).run();
    private static final RunRow CURED =
            TestRuns.run("2026-11-20T11:00:00.000Z", "mystery", "bind-now", TestRuns.figures(0L, 0));

    @Test
    void shouldTellWhatChangedAndByHowMuch() {
        assertThat(Comparison.of(INCIDENT, CURED).lines())
                .contains(
                        new Comparison.Line("remedy", "none", "bind-now", ""),
                        new Comparison.Line("datagrams dropped", "376", "0", "-376"),
                        new Comparison.Line("longest stall", "150.8 ms", "0.0 ms", "-150.8 ms"));
    }

    @Test
    void shouldCompareTheLatenciesOfTheService() {
        LatencyRow own = new LatencyRow(
                "mds", LatencyRow.DUE_TO_BOOK, 30_000, 600, 1_500, 2_500, 4_380.9, new LatencyRecord.Late(31, 0, 0));
        assertThat(Comparison.of(INCIDENT, INCIDENT.withLatencies(List.of(own))).lines())
                .contains(
                        new Comparison.Line("latency p99.9", "374.6 ms", "2.5 ms", "-372.1 ms"),
                        new Comparison.Line("longest latency", "380.4 ms", "4.4 ms", "-376.0 ms"),
                        new Comparison.Line("events over 10 ms", "10.4 %", "0 %", "-10.4 %"));
        assertThat(Comparison.of(INCIDENT, CURED).lines())
                .contains(
                        new Comparison.Line("latency p99.9", "374.6 ms", "unknown", ""),
                        new Comparison.Line("events over 1 ms", "14.1 %", "unknown", ""));
    }

    @Test
    void shouldCompareTheStaleQuotes() {
        RunRow fresh = INCIDENT.withStaleQuotes(new StaleQuotesRecord(12_000, 0, 0, 0, 0, 0, 0));
        assertThat(Comparison.of(INCIDENT, fresh).lines())
                .contains(
                        new Comparison.Line("longest stale quote", "371.2 ms", "0.0 ms", "-371.2 ms"),
                        new Comparison.Line("stale quotes over 10 ms", "31", "0", "-31"),
                        new Comparison.Line("largest difference of a quote", "0.3500", "0.0000", ""));
        assertThat(Comparison.of(INCIDENT, CURED).lines())
                .contains(new Comparison.Line("longest stale quote", "371.2 ms", "unknown", ""));
    }

    @Test
    void shouldFindNoDifferenceOfARunToItself() {
        assertThat(Comparison.of(INCIDENT, INCIDENT).lines())
                .noneMatch(Comparison.Line::differs)
                .allMatch(line -> line.difference().isEmpty());
    }

    @Test
    void shouldNotTakeAMissingFinalReportForNoNak() {
        RunRow silent = TestRuns.run("2026-11-20T11:00:00.000Z", "mystery", "none", TestRuns.figures(null, 0));
        assertThat(Comparison.of(silent, silent).lines())
                .contains(new Comparison.Line("NAKs of the service", "unknown", "unknown", ""));
    }
}
