package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.host.CpuContentionFault;
import org.naklab.faults.host.ThreadStatistics;
import org.naklab.faults.process.LiveChild;
import org.naklab.faults.process.SpinningProcess;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Pause, kill and CPU contention of another JVM. */
@Matrix
@Timeout(120)
class ProcessFaultsScenario {
    private final FaultSite site = new FaultSite("lab");
    private LiveChild child;
    private TargetProcess target;

    @BeforeEach
    void start() {
        child = new LiveChild(SpinningProcess.class, Map.of());
        assertThat(child.readLine()).isEqualTo("ready");
        target = site.offer("mds", child.target());
    }

    @AfterEach
    void stop() {
        child.close();
        site.guard().close();
    }

    private Fault create(FaultKind kind, Record parameters) {
        FaultSpec spec = FaultSpec.of(kind.name(), "mds", parameters).withForMs(30_000);
        return kind.create(spec, site, 1);
    }

    @Test
    void shouldStopAndContinue() {
        Fault pause = create(new ProcessPauseFault(), new ProcessPauseFault.Parameters());
        pause.arm();
        assertThat(target.state()).isEqualTo('T');
        assertThat(pause.proof().fired()).isTrue();

        pause.disarm();
        pause.disarm();

        Await.until("running again", () -> target.state() != 'T');
        assertThat(pause.proof().figure("pausedNs")).isPositive();
    }

    @Test
    void shouldContinueByTheGuardWhenNobodyDisarms() {
        Fault pause = create(new ProcessPauseFault(), new ProcessPauseFault.Parameters());
        pause.arm();

        site.guard().close();

        Await.until("running again", () -> target.state() != 'T');
    }

    @Test
    void shouldKill() {
        Fault kill = create(new ProcessKillFault(), new ProcessKillFault.Parameters());
        kill.arm();

        assertThat(kill.proof().fired()).isTrue();
        assertThat(target.isAlive()).isFalse();
        kill.disarm();
    }

    @Test
    void shouldNotStrikeTheDead() {
        child.close();

        assertThatThrownBy(() -> create(new ProcessKillFault(), new ProcessKillFault.Parameters())
                        .arm())
                .isInstanceOf(FaultException.class)
                .hasMessage("process mds does not run any more");
        assertThatThrownBy(() -> create(new ProcessPauseFault(), new ProcessPauseFault.Parameters())
                        .arm())
                .isInstanceOf(FaultException.class)
                .hasMessage("process mds does not run any more");
    }

    @Test
    void shouldContendForTheThreadsCore() {
        String allowedBefore = ThreadStatistics.of(target, "victim").allowedCpus();
        Fault contention = create(new CpuContentionFault(), new CpuContentionFault.Parameters("victim", 2, false, 100));
        contention.arm();
        assertThat(ThreadStatistics.of(target, "victim").allowedCpus())
                .doesNotContain("-")
                .doesNotContain(",");
        Await.until("waited for its core", () -> contention.proof().fired());

        contention.disarm();
        contention.disarm();

        FaultProof proof = contention.proof();
        assertThat(proof.figure("runDelayNs")).isGreaterThanOrEqualTo(100_000_000);
        assertThat(proof.figure("burntNs")).isPositive();
        assertThat(ThreadStatistics.of(target, "victim").allowedCpus()).isEqualTo(allowedBefore);
        assertThat(burners()).isZero();
    }

    @Test
    void shouldNameTheThreadThatIsMissing() {
        Fault contention = create(new CpuContentionFault(), new CpuContentionFault.Parameters("nobody", 1, false, 0));

        assertThatThrownBy(contention::arm)
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("has no thread named nobody");
        contention.disarm();
        assertThat(contention.proof().fired()).isFalse();
    }

    @Test
    void shouldDoNothingBeforeTheyAreArmed() {
        Fault pause = create(new ProcessPauseFault(), new ProcessPauseFault.Parameters());
        Fault kill = create(new ProcessKillFault(), new ProcessKillFault.Parameters());
        Fault contention = create(new CpuContentionFault(), new CpuContentionFault.Parameters("victim", 1, false, 0));
        for (Fault fault : new Fault[] {pause, kill, contention}) {
            fault.disarm();
            assertThat(fault.proof().fired()).isFalse();
        }

        assertThat(target.isAlive()).isTrue();
        assertThat(target.state()).isNotEqualTo('T');
        assertThat(burners()).isZero();
    }

    /** Only this JVM's: other builds may run on the machine. */
    private static long burners() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains("naklab-burner"))
                .count();
    }
}
