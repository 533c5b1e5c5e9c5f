package org.naklab.lab.tools.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.tools.threads.StageTimes.Stage;

@Timeout(60)
class StageTimesTest {
    private final StageTimes times = new StageTimes();

    @Test
    void shouldDivideCpuTimeByEventsAndPutUnknownThreadsTogether() {
        times.add(Map.of("mds-context", 9_000L, "C1 CompilerThre", 9_000L), 9, 1);
        times.clear();
        times.add(Map.of("mds-context", 6_000L, "bench-source", 4_000L, "C1 CompilerThre", 700L), 10, 1_000);
        times.add(Map.of("mds-context", 2_000L, "GC Thread#0", 300L), 10, 3_000);

        assertThat(times.stages())
                .contains(new Stage("mds-context", 400, true))
                .contains(new Stage("bench-source", 200, false))
                .contains(new Stage("mds-journal", 0, true))
                .contains(new Stage(StageTimes.OTHER, 50, true));
        assertThat(times.perSecond()).isCloseTo(5e6, within(1.0));
    }

    @Test
    void shouldBeBoundByTheSlowestThreadOrByAllCores() {
        List<Stage> stages = List.of(new Stage("mds-context", 500, true), new Stage("bench-source", 500, false));

        assertThat(StageTimes.boundPerSecond(stages, 4)).isCloseTo(2e6, within(1.0));
        assertThat(StageTimes.boundPerSecond(stages, 1)).isCloseTo(1e6, within(1.0));
    }

    @Test
    void shouldNotTakeOtherThreadsForOne() {
        List<Stage> stages = List.of(new Stage("mds-context", 100, true), new Stage(StageTimes.OTHER, 300, true));
        assertThat(StageTimes.boundPerSecond(stages, 4)).isCloseTo(1e7, within(1.0));
    }
}
