package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.counters.CgroupFreezer;
import org.naklab.lab.instruments.linux.ProcessSignals;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Compares recorded halts from outside with what the halted process has measured. */
@Matrix
@Timeout(120)
class LiveHaltRecordTest extends VictimRecording {
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
            assertThat(absence.by()).isNotNull();
            assertThat(absence.by().pid())
                    .isEqualTo((int) ProcessHandle.current().pid());
        }
    }

    @Test
    void shouldNameTheTracer() throws Exception {
        try (Victim victim = Victim.start(program, "trace");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(WaitState.TRACED);
            assertThat(absence.by()).isNotNull();
            assertThat(absence.by().comm()).isEqualTo("tracer");
            assertThat(absence.by().pid()).isNotEqualTo((int) victim.pid());
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** The sender of an earlier signal is not blamed: it did not stop the process. */
    @Test
    void shouldNameTheSenderOfTheSignalThatStopped() throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            ProcessSignals.resume(victim.pid());
            victim.go();
            assertThat(victim.line()).containsExactly("beats");
            Process shell = new ProcessBuilder("sh", "-c", "kill -STOP " + victim.pid() + "; echo; read go").start();
            assertThat(shell.getInputStream().read()).isEqualTo('\n');
            long beginNs = System.nanoTime();
            Await.until("stopped for long", () -> System.nanoTime() - beginNs >= LONG_NS);
            ProcessSignals.resume(victim.pid());
            Absence absence = longestIn(recorder, victim.span(), "victim");
            shell.destroyForcibly().waitFor();

            assertThat(absence.by()).isEqualTo(new TaskId((int) shell.pid(), (int) shell.pid(), "sh"));
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().pid())
                    .isEqualTo((int) ProcessHandle.current().pid());
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
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
            recordAFreeze(group, group, file, frozen, thawed);
        } finally {
            Await.until("the group is empty", () -> group.toFile().delete());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sys/fs/cgroup/unified", "/sys/fs/cgroup"})
    void shouldNameTheGroupAboveThatWasFrozen(Path hierarchy) throws Exception {
        Path group =
                hierarchy.resolve("naklab-test-above-" + ProcessHandle.current().pid());
        Path home = group.resolve("home");
        Assumptions.assumeThat(Files.isWritable(hierarchy.resolve("cgroup.procs"))
                        && Files.exists(hierarchy.resolve("cgroup.controllers")))
                .as("no hierarchy of version 2")
                .isTrue();
        Files.createDirectories(home);
        try {
            recordAFreeze(group, home, "cgroup.freeze", "1", "0");
        } finally {
            Await.until("the group is empty", () -> home.toFile().delete());
            Files.delete(group);
        }
    }

    /** @param home the process's own group */
    private void recordAFreeze(Path group, Path home, String file, String frozen, String thawed) throws Exception {
        try (Victim victim = Victim.start(program, "beat");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            Files.writeString(home.resolve("cgroup.procs"), Long.toString(victim.pid()));
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
                assertThat(freezer.frozenGroup()).contains(home);
            } finally {
                Files.writeString(group.resolve(file), thawed);
            }
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).as(absence.toString()).isEqualTo(WaitState.FROZEN);
            assertThat(absence.cgroup()).isEqualTo(group.toString());
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }
}
