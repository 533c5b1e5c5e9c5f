package org.naklab.lab.scenarios.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.scenarios.InstrumentLevel;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.causes.Baseline;

@Timeout(60)
class ReplayCommandLineTest {
    @Test
    void shouldCaptureAgainWhateverElseThePlanWasGiven() {
        RunPlan plan = RunPlan.draft(new Baseline());
        RunPlan captured = new RunPlan(
                plan.scenario(),
                plan.fidelity(),
                plan.remedy(),
                plan.seed(),
                plan.traffic(),
                plan.transport(),
                plan.placement().captured(true).inContainers(false).sealed(),
                plan.notes());

        assertThat(ReplayCommandLine.command(plan)).doesNotContain("--capture");
        assertThat(ReplayCommandLine.command(
                        captured.at(Path.of("run"), "aeron-").observedBy(InstrumentLevel.FULL)))
                .contains(" --observe full --capture");
    }
}
