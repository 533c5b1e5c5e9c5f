package org.naklab.lab.scenarios.mystery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.naklab.lab.containers.pace.SlowReadsEnvironment;
import org.naklab.lab.containers.pace.ThrottledContainerEnvironment;
import org.naklab.lab.core.PreparationListener;
import org.naklab.lab.process.ContainerSpec;
import org.naklab.lab.process.ProcessSpec;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Workload;

@Timeout(60)
final class MysteryContainersTest {
    /** A JVM that starts reads a thousand times and more where the image's files are not in memory. */
    @ParameterizedTest
    @EnumSource(
            value = Fidelity.class,
            names = {"EVICTED", "NATURAL"})
    void shouldStartNoProcessWithSlowReads(Fidelity fidelity) {
        Deployment deployment = deployment(fidelity);
        assertThat(deployment.all()).hasSize(3).allSatisfy(process -> assertThat(options(process))
                .doesNotContain("--device-read-iops", "--device-read-bps"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fidelity.class,
            names = {"EVICTED", "NATURAL"})
    void shouldMakeReadsSlowLater(Fidelity fidelity) {
        assertThat(deployment(fidelity).environment())
                .isInstanceOf(
                        fidelity == Fidelity.EVICTED
                                ? SlowReadsEnvironment.class
                                : ThrottledContainerEnvironment.class);
    }

    private static Iterable<String> options(ProcessSpec<?> process) {
        ContainerSpec container = process.container();
        assertThat(container).isNotNull();
        return container.options();
    }

    private static Deployment deployment(Fidelity fidelity) {
        Workload workload = MysteryFidelities.of(fidelity).workload(new Mystery().workload());
        RunPlan plan = Plans.of(new Mystery(), workload, fidelity);
        return MysteryContainers.move(
                Deployment.standard(plan),
                (ContainedStrategy) MysteryFidelities.of(fidelity),
                plan,
                "/dev/vda",
                20,
                PreparationListener.NONE);
    }
}
