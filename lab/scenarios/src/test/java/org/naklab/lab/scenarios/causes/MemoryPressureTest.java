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
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
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
        assertThat(deployment.environment()).isInstanceOf(PageCacheRoom.class);
        ServiceConfig service = deployment.subscribers().get(0).config();
        assertThat(service.controlGroups()).as("it is in its container's").isEmpty();
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

    /** What a busy machine makes of a run says nothing about the memory. */
    @Test
    void shouldNotBeContradictedByAStallInWhichOthersHadTheCpu() {
        assertThat(MemoryPressure.stallsExplained(List.of(stall(55, 5))).verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(MemoryPressure.stallsExplained(List.of(stall(40, 20))).verdict())
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(MemoryPressure.stallsExplained(List.of(stall(40, 20), stall(60, 0)))
                        .verdict())
                .isEqualTo(Verdict.FAIL);
        assertThat(MemoryPressure.stallsExplained(List.of()).verdict()).isEqualTo(Verdict.PASS);
    }

    private static Stall stall(double waitedMs, double withoutCpuMs) {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.LOCK, waitedMs, ""),
                new AccountEntry(AccountKind.PREEMPTED, withoutCpuMs, "")));
        return new Stall("mds", 1, waitedMs + withoutCpuMs, "mds-context", 0, Cause.LOCK_WAIT.label(), account);
    }
}
