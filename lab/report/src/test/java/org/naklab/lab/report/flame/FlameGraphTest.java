package org.naklab.lab.report.flame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FlameGraphTest {
    @Test
    @SuppressWarnings("unchecked")
    void shouldAddUpStacksWithTheSameCallers() {
        Map<String, Object> values = FlameGraph.values(List.of(
                new FlameGraph.Stack(List.of("main", "poll", "schedule"), 30_000_000),
                new FlameGraph.Stack(List.of("main", "write"), 10_000_000)));

        assertThat(values).containsEntry("hasFlame", true).containsEntry("flameHeight", 3 * 18);
        assertThat((List<Map<String, Object>>) values.get("flame"))
                .extracting(frame -> frame.get("title") + " at " + frame.get("x") + ", " + frame.get("y"))
                .containsExactly(
                        "main: 40.0 ms, 100.0 % at 0.000, 36",
                        "poll: 30.0 ms, 75.0 % at 0.000, 18",
                        "schedule: 30.0 ms, 75.0 % at 0.000, 0",
                        "write: 10.0 ms, 25.0 % at 75.000, 18");
    }

    @Test
    void shouldDrawNothingWithoutAStack() {
        assertThat(FlameGraph.values(List.of())).containsEntry("hasFlame", false);
    }
}
