package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
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
    void shouldFindNoDifferenceOfARunToItself() {
        assertThat(Comparison.of(INCIDENT, INCIDENT).lines())
                .noneMatch(Comparison.Line::differs)
                .allMatch(line -> line.difference().isEmpty());
    }

    @Test
    void shouldNotTakeAMissingLastWordForNoNak() {
        RunRow silent = TestRuns.run("2026-11-20T11:00:00.000Z", "mystery", "none", TestRuns.figures(null, 0));
        assertThat(Comparison.of(silent, silent).lines())
                .contains(new Comparison.Line("NAKs of the service", "unknown", "unknown", ""));
    }
}
