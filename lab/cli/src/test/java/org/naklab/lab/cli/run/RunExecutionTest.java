package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Scenario;
import org.naklab.lab.scenarios.causes.Baseline;
import org.naklab.lab.scenarios.causes.KernelInterference;

@Timeout(60)
final class RunExecutionTest {
    @Test
    void shouldSayBeforeTheRunThatAStormWillNotFireOnABusyMachine() {
        assertThat(consequence(new KernelInterference())).startsWith("softirq-storm cannot be expected to fire");
        assertThat(consequence(new Baseline()))
                .doesNotContain("softirq-storm")
                .startsWith("the verdict may be UNKNOWN");
    }

    private static String consequence(Scenario scenario) {
        return RunExecution.consequence(scenario, RunPlan.draft(scenario));
    }
}
