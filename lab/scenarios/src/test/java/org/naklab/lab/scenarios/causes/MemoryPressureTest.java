package org.naklab.lab.scenarios.causes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.host.MemoryPressureFault;
import org.naklab.lab.containers.ComposeProject;
import org.naklab.lab.containers.faults.PageCacheRoom;
import org.naklab.lab.containers.pace.SqueezedGroup;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.core.account.AccountEntry;
import org.naklab.lab.core.account.AccountKind;
import org.naklab.lab.core.account.StallAccount;
import org.naklab.lab.diagnosis.Cause;
import org.naklab.lab.records.Stall;
import org.naklab.lab.replica.service.ReferenceTable;
import org.naklab.lab.replica.service.ServiceConfig;
import org.naklab.lab.scenarios.Deployment;
import org.naklab.lab.scenarios.Fidelity;
import org.naklab.lab.scenarios.Plans;
import org.naklab.lab.scenarios.Remedy;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.mystery.ComposeDeployment;
import org.naklab.lab.scenarios.record.ReplayCommandLine;

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

    /** The lab itself is in no group of the service, nor are the exchange and the gateway. */
    @Test
    void shouldGiveTheServiceATableInGroupsOfItsOwn(@TempDir Path directory) {
        assumeThat(SqueezedGroup.obstacle(directory)).isEmpty();
        RunPlan natural = scenario.prepare(
                        Plans.of(scenario, scenario.workload(), Fidelity.NATURAL), scenario.stallNs(), false)
                .at(directory, "aeron-");
        Deployment deployment = scenario.deploy(natural);
        assertThat(deployment.environment()).isInstanceOf(SqueezedGroup.class);
        ServiceConfig service = deployment.subscribers().get(0).config();
        assertThat(service.controlGroups()).isNotEmpty();
        assertThat(service.memoryAccounted()).isTrue();
        ReferenceTable table = Objects.requireNonNull(service.referenceData());
        assertThat(table.bytes())
                .as("more than there is room for")
                .isGreaterThan(Objects.requireNonNull(service.constraint()).leastRoomBytes());
        ServiceConfig gateway = deployment.subscribers().get(1).config();
        assertThat(gateway.controlGroups()).isEmpty();
        assertThat(gateway.referenceData()).isNull();
    }

    /** The run says beforehand what can run there: memory has no disk whose reads could be slow. */
    @Test
    void shouldSayWhyNothingIsLostWhereReadsCannotBeSlow() {
        Path inMemory = Path.of("/dev/shm");
        assumeThat(inMemory).isDirectory();
        assertThat(scenario.realistic(inMemory)).hasValueSatisfying(realistic -> assertThat(realistic.obstacle())
                .startsWith("no page of the service is read back slowly, so that no event is lost: "));
        assertThat(scenario.fidelities().get(0)).as("what is run there").isEqualTo(Fidelity.NONE);
        assertThat(scenario.refusal(Fidelity.NONE, Remedy.NONE)).isEmpty();
    }

    @Test
    void shouldRefuseARemedyThatCuresNothing() {
        assertThat(scenario.refusal(Fidelity.NATURAL, Remedy.POLITE_JOURNAL))
                .hasValueSatisfying(reason -> assertThat(reason).endsWith("; use fidelity none"));
        assertThat(scenario.refusal(Fidelity.NONE, Remedy.POLITE_JOURNAL)).isEmpty();
    }

    @Test
    void shouldNotTakeAStallWhereItMakesNone() {
        RunPlan unprepared = Plans.of(scenario, scenario.workload());
        assertThatThrownBy(() -> scenario.prepare(unprepared, 1, false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--stall does not apply");
    }

    /** Without the option, another machine would choose otherwise. */
    @Test
    void shouldNameTheFormInTheCommandThatRepeatsARun() {
        RunPlan none = Plans.of(scenario, scenario.workload());
        assertThat(ReplayCommandLine.command(none)).contains(" --fidelity none").doesNotContain("--stall");
        RunPlan natural =
                scenario.prepare(Plans.of(scenario, scenario.workload(), Fidelity.NATURAL), scenario.stallNs(), false);
        assertThat(ReplayCommandLine.command(natural)).contains(" --fidelity natural --remedy none --stall 150ms");
    }

    /** A thread that has no CPU reads no table, so that a run without a fault says nothing then. */
    @Test
    void shouldDoubtARunWithoutAFaultInWhichOthersHadTheCpu() {
        assertThat(missed(List.of())).isEqualTo(Verdict.FAIL);
        assertThat(missed(List.of(stall(60, 0)))).isEqualTo(Verdict.FAIL);
        assertThat(missed(List.of(stall(40, 20)))).isEqualTo(Verdict.UNKNOWN);
    }

    private static Verdict missed(List<Stall> stalls) {
        return ColdTable.judged(ColdTable.stalled(stalls), stalls).verdict();
    }

    private static Stall stall(double waitedMs, double withoutCpuMs) {
        StallAccount account = new StallAccount(List.of(
                new AccountEntry(AccountKind.LOCK, waitedMs, ""),
                new AccountEntry(AccountKind.PREEMPTED, withoutCpuMs, "")));
        return new Stall("mds", 1, waitedMs + withoutCpuMs, "mds-context", 0, Cause.LOCK_WAIT.label(), account);
    }
}
