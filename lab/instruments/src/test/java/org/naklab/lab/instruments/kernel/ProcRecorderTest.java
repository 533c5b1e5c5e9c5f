package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.symbols.PerfMap;
import org.naklab.lab.instruments.kernel.symbols.ProcessMappings;
import org.naklab.testing.Await;

/** Finds absences without BPF, in recorded files; one test has a record of this machine. */
@Timeout(60)
class ProcRecorderTest {
    private static final long MS = 1_000_000L;

    @TempDir
    Path task;

    @Test
    void shouldTellAWaitFromAWaitForAProcessor() throws Exception {
        write("S", 1_000_000, 0, 5);
        Files.writeString(task.resolve("comm"), "reader\n");
        Files.writeString(task.resolve("stack"), "[<0>] futex_wait_queue+0x4e/0x90\n[<0>] do_futex+0x1/0x2\n");
        try (ThreadStateSampler sampler = ThreadStateSampler.open(task, 7, 8, 5 * MS)) {
            assertThat(sampler.sample(0)).isEmpty();
            assertThat(sampler.sample(3 * MS)).isEmpty();
            assertThat(sampler.open()).isEmpty();
            assertThat(sampler.sample(6 * MS)).isEmpty();
            assertThat(sampler.open()).isPresent();
            write("R", 1_500_000, 4 * MS, 6);
            Absence absence = sampler.sample(20 * MS).orElseThrow();

            assertThat(absence.task()).isEqualTo(new TaskId(7, 8, "reader"));
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.SLEEPING);
            assertThat(absence.interval(0)).isEqualTo(new Interval(0, 20 * MS - 500_000));
            assertThat(absence.runnableNs()).isEqualTo(4 * MS);
            assertThat(absence.kernelStack()).containsExactly("futex_wait_queue", "do_futex");
            assertThat(sampler.sample(30 * MS)).isEmpty();
        }
    }

    @Test
    void shouldNotTakeAThreadThatRunsForAbsent() throws Exception {
        write("R", 1_000_000, 0, 5);
        try (ThreadStateSampler sampler = ThreadStateSampler.open(task, 7, 8, 5 * MS)) {
            assertThat(sampler.sample(0)).isEmpty();
            assertThat(sampler.sample(8 * MS)).isEmpty();
            write("R", 9_000_000, 0, 5); // the kernel adds up at each tick
            assertThat(sampler.sample(10 * MS)).isEmpty();
            assertThat(sampler.sample(18 * MS)).isEmpty();
            write("R", 9_100_000, 7 * MS, 6);
            assertThat(sampler.sample(20 * MS)).get().satisfies(absence -> {
                assertThat(absence.state()).isEqualTo(ThreadAbsence.State.PREEMPTED);
                assertThat(absence.blockedNs()).isZero();
            });
        }
    }

    @Test
    void shouldKnowAFrozenThreadByItsStack() throws Exception {
        write("D", 1_000_000, 0, 5);
        Files.writeString(task.resolve("stack"), "[<0>] __refrigerator+0x4e/0x90\n");
        try (ThreadStateSampler sampler = ThreadStateSampler.open(task, 7, 8, 5 * MS)) {
            assertThat(sampler.sample(0)).isEmpty();
            assertThat(sampler.sample(6 * MS)).isEmpty();
            assertThat(sampler.open()).map(Absence::state).contains(ThreadAbsence.State.FROZEN);
        }
    }

    @Test
    void shouldNameTheTracer() throws Exception {
        ProcessHandle self = ProcessHandle.current();
        write("t", 1_000_000, 0, 5);
        Files.writeString(task.resolve("status"), "Name:\treader\nTracerPid:\t" + self.pid() + "\nUid:\t0\n");
        try (ThreadStateSampler sampler = ThreadStateSampler.open(task, 7, 8, 5 * MS)) {
            assertThat(sampler.sample(0)).isEmpty();
            assertThat(sampler.sample(6 * MS)).isEmpty();
            String name = Files.readString(Path.of("/proc/self/comm")).strip();
            assertThat(sampler.open()).map(Absence::by).contains(new TaskId((int) self.pid(), (int) self.pid(), name));
        }
    }

    @Test
    void shouldSayThatAThreadHasEnded() throws Exception {
        write("S", 1, 0, 1);
        try (ThreadStateSampler sampler = ThreadStateSampler.open(task, 7, 8, 5 * MS)) {
            Files.writeString(task.resolve("schedstat"), "");
            assertThatExceptionOfType(ThreadStateSampler.EndedException.class).isThrownBy(() -> sampler.sample(0));
        }
    }

    @Test
    void shouldSayWhyABetterSourceIsNotUsed() {
        RecordLog log = new RecordLog();
        try (KernelRecorder recorder =
                KernelRecorder.start(List.of(ProcessHandle.current().pid()), source -> {
                    if (source == RecorderSource.BPF) {
                        throw new DetectException("no BPF recorder: not root");
                    }
                    return ProcRecorder.start(RecorderSettings.DEFAULT, log);
                })) {
            assertThat(recorder.source()).isEqualTo(RecorderSource.PROC);
            assertThat(recorder.missing()).containsExactly("no BPF recorder: not root");
            assertThat(recorder.add(Integer.MAX_VALUE)).isFalse();
        }
        assertThat(log.of(KernelRecord.RecorderEnd.class)).hasSize(1);
    }

    /** Silence must not be taken for quiet. */
    @Test
    void shouldSayThatItHasEndedIfItsThreadDies() {
        RecordLog log = new RecordLog();
        KernelRecordListener failing = kernelRecord -> {
            log.onRecord(kernelRecord);
            if (kernelRecord instanceof KernelRecord.Alive) {
                throw new IllegalStateException("no room");
            }
        };
        try (ProcRecorder recorder = ProcRecorder.start(RecorderSettings.DEFAULT, failing)) {
            assertThat(recorder.add(Integer.MAX_VALUE)).isFalse();
            Await.until("the end", () -> !log.of(KernelRecord.RecorderEnd.class).isEmpty());
        }
        assertThat(log.of(KernelRecord.Alive.class)).hasSize(1);
        assertThat(log.of(KernelRecord.RecorderEnd.class))
                .extracting(KernelRecord.RecorderEnd::reason)
                .containsExactly("the recorder's thread died of java.lang.IllegalStateException: no room");
    }

    @Test
    void shouldReceiveARecordOfThisMachine() throws Exception {
        RecordLog log = new RecordLog();
        Thread sleeper = new Thread(
                () -> {
                    while (!Thread.interrupted()) {
                        LockSupport.parkNanos(20 * MS);
                    }
                },
                "sleeper");
        sleeper.start();
        try (KernelRecorder recorder = KernelRecorder.start(
                RecorderSource.PROC, List.of(ProcessHandle.current().pid()), RecorderSettings.DEFAULT, log)) {
            assertThat(recorder.source()).isEqualTo(RecorderSource.PROC);
            Await.until("an absence of the sleeper", () -> log.of(Absence.class).stream()
                    .anyMatch(absence -> absence.task().comm().equals("sleeper")));
        } finally {
            sleeper.interrupt();
            sleeper.join();
        }
    }

    /** Each thread begins with the name of the one that made it. */
    @Test
    void shouldNameAThreadAsItIsCalledNow() throws Exception {
        RecordLog log = new RecordLog();
        AtomicBoolean isToRename = new AtomicBoolean();
        Thread sleeper = new Thread(
                () -> {
                    while (!Thread.interrupted()) {
                        LockSupport.parkNanos(20 * MS);
                        if (isToRename.compareAndSet(true, false)) {
                            Thread.currentThread().setName("renamed");
                        }
                    }
                },
                "begun");
        sleeper.start();
        try (KernelRecorder recorder = KernelRecorder.start(
                RecorderSource.PROC, List.of(ProcessHandle.current().pid()), RecorderSettings.DEFAULT, log)) {
            assertThat(recorder.source()).isEqualTo(RecorderSource.PROC);
            for (String name : List.of("begun", "renamed")) {
                Await.until("an absence of " + name, () -> log.of(Absence.class).stream()
                        .anyMatch(absence -> absence.task().comm().equals(name)));
                isToRename.set(true);
            }
        } finally {
            sleeper.interrupt();
            sleeper.join();
        }
    }

    @Test
    void shouldHaveAJvmWriteItsMap() throws Exception {
        long pid = ProcessHandle.current().pid();
        PerfMap.request(pid);
        try {
            assertThat(Files.readString(PerfMap.file(pid))).contains("java");
        } finally {
            Files.delete(PerfMap.file(pid));
        }
    }

    @Test
    void shouldFindItsOwnMappings() {
        Optional<ProcessMappings> mappings =
                ProcessMappings.ofProcess(ProcessHandle.current().pid());
        assertThat(mappings).isPresent();
        assertThat(mappings.get().at(0)).isEmpty();
        assertThat(ProcessMappings.ofProcess(Integer.MAX_VALUE)).isEmpty();
    }

    private void write(String state, long cpuNs, long delayNs, long timesRun) throws Exception {
        Files.writeString(task.resolve("stat"), "8 (reader) " + state + " 1 1 1 0 -1 4194304 10 0 20 0 0 0 0 0\n");
        Files.writeString(task.resolve("schedstat"), cpuNs + " " + delayNs + " " + timesRun + "\n");
    }
}
