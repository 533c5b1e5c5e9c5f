package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.counters.CgroupFreezer;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.testing.Await;

/** Compares recorded halts from outside with what the halted process has measured. */
@Timeout(120)
class HaltRecordTest extends VictimRecording {
    @Test
    void shouldRecordAStopBySignal() throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Await.until("asleep between two beats", () -> state(victim.pid()) == 'S');
            long beginNs = System.nanoTime();
            ProcessSignals.stop(victim.pid());
            Await.until("stopped for long", () -> System.nanoTime() - beginNs >= LONG_NS);
            ProcessSignals.resume(victim.pid());
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(WaitState.STOPPED);
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().pid())
                    .isEqualTo((int) ProcessHandle.current().pid());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/sys/fs/cgroup/freezer, freezer.state, FROZEN, THAWED",
        "/sys/fs/cgroup/unified, cgroup.freeze, 1, 0",
        "/sys/fs/cgroup, cgroup.freeze, 1, 0"
    })
    void shouldRecordAFreeze(Path hierarchy, String file, String frozen, String thawed) throws Exception {
        Path group = hierarchy.resolve("naklab-test-" + ProcessHandle.current().pid());
        Assumptions.assumeThat(Files.isWritable(hierarchy.resolve("cgroup.procs")))
                .as("no such hierarchy")
                .isTrue();
        Files.createDirectory(group);
        try {
            Assumptions.assumeThat(group.resolve(file)).exists();
            recordAFreeze(group, file, frozen, thawed);
        } finally {
            Await.until("the group is empty", () -> group.toFile().delete());
        }
    }

    private void recordAFreeze(Path group, String file, String frozen, String thawed) throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(victim.pid()));
            CgroupFreezer freezer = CgroupFreezer.ofProcess(victim.pid());
            assertThat(freezer.frozenGroup()).isEmpty();
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Await.until("asleep between two beats", () -> state(victim.pid()) == 'S');
            Files.writeString(group.resolve(file), frozen);
            try {
                Await.until("frozen", () -> freezer.frozenGroup().isPresent());
                long beginNs = System.nanoTime();
                Await.until("frozen for long", () -> System.nanoTime() - beginNs >= LONG_NS);
                assertThat(freezer.frozenGroup()).contains(group);
            } finally {
                Files.writeString(group.resolve(file), thawed);
            }
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).as(absence.toString()).isEqualTo(WaitState.FROZEN);
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }
}
