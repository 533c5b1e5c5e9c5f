package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
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
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.STOPPED);
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
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.TRACED);
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

    @Test
    void shouldRecordAFreezeOfVersion1() throws Exception {
        Path freezer = Path.of("/sys/fs/cgroup/freezer");
        Assumptions.assumeThat(Files.isWritable(freezer.resolve("cgroup.procs")))
                .as("no cgroup hierarchy of version 1 with a freezer")
                .isTrue();
        Path group = Files.createDirectory(freezer.resolve(name("")));
        try {
            recordAFreeze(group, group, "freezer.state", "FROZEN", "THAWED");
        } finally {
            Await.until("the group is empty", () -> group.toFile().delete());
        }
    }

    @Test
    void shouldRecordAFreezeOfVersion2() throws Exception {
        Path group = Files.createDirectory(version2().resolve(name("")));
        try {
            recordAFreeze(group, group, "cgroup.freeze", "1", "0");
        } finally {
            Await.until("the group is empty", () -> group.toFile().delete());
        }
    }

    @Test
    void shouldNameTheGroupAboveThatWasFrozen() throws Exception {
        Path group = version2().resolve(name("above-"));
        Path home = Files.createDirectories(group.resolve("home"));
        try {
            recordAFreeze(group, home, "cgroup.freeze", "1", "0");
        } finally {
            Await.until("the group is empty", () -> home.toFile().delete());
            Files.delete(group);
        }
    }

    private static String name(String kind) {
        return "naklab-test-" + kind + ProcessHandle.current().pid();
    }

    /** Returns the hierarchy of version 2, alone or beside those of version 1. */
    private static Path version2() {
        List<Path> found = Stream.of("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
                .map(Path::of)
                .filter(each -> Files.exists(each.resolve("cgroup.controllers"))
                        && Files.isWritable(each.resolve("cgroup.procs")))
                .toList();
        Assumptions.assumeThat(found).as("no cgroup hierarchy of version 2").isNotEmpty();
        return found.get(0);
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
            assertThat(absence.state()).as(absence.toString()).isEqualTo(ThreadAbsence.State.FROZEN);
            assertThat(absence.cgroup()).isEqualTo(group.toString());
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }
}
