package org.naklab.lab.scenarios.causes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.host.MemoryPressureFault;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.containers.faults.PageCacheRoom;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.mystery.ComposeDeployment;

@Timeout(60)
final class MemoryPressureTest {
    private final MemoryPressure scenario = new MemoryPressure();
    private final RunPlan plan = Plans.of(scenario, scenario.workload())
            .in(new ComposeProject("naklab", Map.of(Deployment.SERVICE, "0123")), List.of());

    @Test
    void shouldPressTheContainerOfTheServiceInAComposition() {
        assertThat(ComposeDeployment.refusal(scenario, plan)).isEmpty();
        assertThat(scenario.compositionObstacle()).isEmpty();
        Deployment deployment = scenario.deploy(plan);
        assertThat(deployment.surroundings()).isInstanceOf(PageCacheRoom.class);
        ServiceConfig service = deployment.subscribers().get(0).config();
        assertThat(service.controlGroup()).as("it is in its container's").isNull();
        assertThat(service.memoryAccounted()).isTrue();
    }

    /** The directory of the run is not in the container; the volume of the journal is, and lies on a disk. */
    @Test
    void shouldWriteWhereTheJournalOfTheContainerIs() {
        ServiceConfig service = scenario.deploy(plan).subscribers().get(0).config();
        assertThat(Objects.requireNonNull(service.faultPlan()).faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.parametersAs(MemoryPressureFault.Parameters.class)
                                .directory())
                        .isEqualTo("/journal"));
    }
}
