package org.naklab.faults.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.faults.Commands;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.TargetProcess;
import org.naklab.faults.process.LiveChild;
import org.naklab.faults.process.SpinningProcess;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Storms of soft interrupts and of messages. */
@Matrix
@Timeout(120)
class StormScenario {
    private static final int BURST_MS = 20;
    private static final int BURSTS = 2;

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

    @Test
    void shouldProcessDatagramsOnTheCpuOfTheThread() {
        SoftirqStormFault kind = new SoftirqStormFault();
        assumeTrue(kind.obstacle().isEmpty(), () -> kind.obstacle().orElse(""));
        String before = ThreadStatistics.of(target, "victim").allowedCpus();
        String devices = Commands.run("ip", "-o", "link");
        Fault storm = kind.create(
                FaultSpec.of(kind.name(), "mds", new SoftirqStormFault.Parameters("victim", BURST_MS, BURSTS, 0))
                        .withForMs(30_000),
                site,
                1);
        storm.arm();
        assertThat(ThreadStatistics.of(target, "victim").allowedCpus()).doesNotContain("-", ",");
        long wanted = BURSTS * (long) SoftInterrupts.weight();
        Await.until("the storm is over", () -> storm.proof().figure("processedDatagrams") >= wanted);
        storm.disarm();
        storm.disarm();

        assertThat(storm.proof().fired()).as(storm.proof().explanation()).isTrue();
        assertThat(storm.proof().figure("netRxGrowth")).isGreaterThanOrEqualTo(BURSTS);
        assertThat(storm.proof().figure("datagramNs") * SoftInterrupts.weight())
                .as("calibrated to the length, whatever the machine needs for a filter")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(BURST_MS));
        assertThat(storm.proof().firings()).hasSize(BURSTS);
        assertThat(ThreadStatistics.of(target, "victim").allowedCpus()).isEqualTo(before);
        assertThat(Commands.run("ip", "-o", "link"))
                .as("this network is untouched")
                .isEqualTo(devices);
    }

    @Test
    void shouldSwitchThreadsThatSendEachOtherMessages() {
        Fault storm = ipcStorm(1_000);
        storm.arm();
        Await.until("the kernel counts the switches", () -> storm.proof().fired());
        storm.disarm();
        storm.disarm();

        assertThat(storm.proof().figure("contextSwitches")).isGreaterThanOrEqualTo(1_000);
        assertThat(ProcessHandle.current().children().map(ProcessHandle::info))
                .noneMatch(info -> info.commandLine().orElse("").contains(IpcStormProcess.class.getName()));
    }

    @Test
    void shouldNotProveAStormThatWasNotArmed() {
        Fault storm = ipcStorm(1);
        storm.disarm();
        assertThat(storm.proof().fired()).isFalse();
    }

    private Fault ipcStorm(long minSwitches) {
        IpcStormFault kind = new IpcStormFault();
        return kind.create(
                FaultSpec.of(kind.name(), "lab", new IpcStormFault.Parameters(2, minSwitches))
                        .withForMs(20_000),
                site,
                1);
    }
}
