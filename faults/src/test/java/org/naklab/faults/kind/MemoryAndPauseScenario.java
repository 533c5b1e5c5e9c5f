package org.naklab.faults.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.faults.Fault;
import org.naklab.faults.FaultException;
import org.naklab.faults.FaultKind;
import org.naklab.faults.FaultProof;
import org.naklab.faults.FaultSite;
import org.naklab.faults.FaultSpec;
import org.naklab.faults.host.MemoryPressureFault;
import org.naklab.faults.host.ProcessMemory;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Faults of the JVM and of the memory, in this JVM. */
@Matrix
@Timeout(120)
class MemoryAndPauseScenario {
    private static final long MIB = 1 << 20;

    @TempDir
    Path directory;

    private final FaultSite site = new FaultSite("mds");

    private Fault create(FaultKind kind, Record parameters) {
        return kind.create(FaultSpec.of(kind.name(), "mds", parameters), site, 1);
    }

    private Fault pressure(long residentMib, long pageCacheMib) {
        return create(
                new MemoryPressureFault(),
                new MemoryPressureFault.Parameters(residentMib, pageCacheMib, 128, directory.toString()));
    }

    @Test
    void shouldTakeMemoryAndGiveItBack() throws IOException {
        Fault pressure = pressure(64, 32);
        pressure.arm();
        Await.until("written once", () -> pressure.proof().fired());
        FaultProof proof = pressure.proof();
        assertThat(proof.figure("residentGainedBytes")).isGreaterThanOrEqualTo(48 * MIB);
        assertThat(proof.figure("writtenBytes")).isGreaterThanOrEqualTo(32 * MIB);
        long residentArmed = ProcessMemory.residentAnonymousBytes();

        pressure.disarm();
        pressure.disarm();

        assertThat(ProcessMemory.residentAnonymousBytes()).isLessThan(residentArmed - 32 * MIB);
        try (var left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldNotTakeMemoryBeforeItIsArmed() {
        Fault pressure = pressure(64, 32);
        pressure.disarm();

        assertThat(pressure.proof().fired()).isFalse();
    }

    @Test
    void shouldRefuseADirectoryThatIsNone() {
        assertThatThrownBy(() -> create(
                        new MemoryPressureFault(), new MemoryPressureFault.Parameters(0, 1, 1, "/no/such/place")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("/no/such/place is not a directory");
    }

    @Test
    void shouldCollectGarbageAsOftenAsAsked() {
        long before = collections();
        Fault gcPause = create(new GcPauseFault(), new GcPauseFault.Parameters(8, 2));
        gcPause.arm();

        assertThat(collections()).isGreaterThanOrEqualTo(before + 2);
        assertThat(gcPause.proof().figure("firings")).isEqualTo(2);
        gcPause.disarm();
    }

    @Test
    void shouldNotCollectBeforeItIsArmed() {
        Fault gcPause = create(new GcPauseFault(), new GcPauseFault.Parameters(8, 2));
        gcPause.disarm();

        assertThat(gcPause.proof().fired()).isFalse();
        assertThatThrownBy(() -> create(new GcPauseFault(), new GcPauseFault.Parameters(4_096, 1)))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("half of the heap");
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    @Test
    void shouldHoldASafepointUp() {
        Fault pause = create(new SafepointPauseFault(), new SafepointPauseFault.Parameters(50, 3));
        pause.arm();

        assertThat(pause.proof().fired()).as(pause.proof().toString()).isTrue();
        assertThat(pause.proof().figure("longestWaitNs")).isGreaterThanOrEqualTo(25_000_000);
        pause.disarm();
    }

    /** The loop polls after a thousand rounds: these must last for the longest pause that may be asked for, however fast the machine copies. */
    @Test
    void shouldHoldASafepointUpForTheLongestPause() {
        int pauseMs = 200;
        Fault pause = create(new SafepointPauseFault(), new SafepointPauseFault.Parameters(pauseMs, 10));
        pause.arm();

        assertThat(pause.proof().figure("longestWaitNs"))
                .as(pause.proof().toString())
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(pauseMs) * 9 / 10);
        pause.disarm();
    }

    @Test
    void shouldNotHoldASafepointUpBeforeItIsArmed() {
        Fault pause = create(new SafepointPauseFault(), new SafepointPauseFault.Parameters(50, 3));
        pause.disarm();

        assertThat(pause.proof().fired()).isFalse();
        assertThat(pause.proof().firings()).isEqualTo(List.of());
    }
}
