package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Compares recorded waits with what the threads that waited have measured. */
@Matrix
@Timeout(120)
class LiveWaitRecordTest extends VictimRecording {
    private static final int MOST_ATTEMPTS = 5;

    @Test
    void shouldNameTheHolderOfALock() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.SLEEPING);
            assertThat(absence.isIn("futex")).isTrue();
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().comm()).isEqualTo("reporter");
            assertThat(absence.waking().waker().pid()).isEqualTo((int) victim.pid());
            assertThat(absence.waking().byInterrupt()).isFalse();
            assertThat(absence.userStack())
                    .extracting(frame -> frame.symbol().replaceFirst("^_+", ""))
                    .containsSubsequence("pthread_mutex_lock", "Victim::handleMessage(int)", "main", "start");
            assertThat(absence.userStackCut()).isFalse();
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** The functions that wait for a lock of the kernel are not in the stack of the thread that waits. */
    @Test
    void shouldKnowALockOfTheKernelByItsRelease() throws Exception {
        Path file = Files.createFile(own.resolve("locked"));
        try (Victim victim = Victim.start(program, "inode", file.toString());
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().waker().comm()).isEqualTo("holder");
            assertThat(absence.waking().isUnlocking()).as(absence.toString()).isTrue();
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    @Test
    void shouldRecordOtherThreadsWithoutUserStacks() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT.ofThreads(List.of("victim")), victim)) {
            victim.go();
            Interval span = victim.span();
            Absence absence = longestIn(recorder, span, "reporter");

            assertThat(absence.isIn("nanosleep")).isTrue();
            assertThat(absence.userStack()).isEmpty();
            assertThat(log.longestIn(span, "victim").userStack())
                    .extracting(StackFrame::symbol)
                    .contains("main");
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
    }

    /** To unwind a stack reads files of the process, which must not come into memory before the end. */
    @Test
    void shouldUnwindStacksAtTheEndIfFilesMustNotBeReadBefore() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT.asDeferred(), victim)) {
            victim.go();
            Interval span = victim.span();
            assertThat(log.of(Absence.class)).isEmpty();
            Absence absence = longestIn(recorder, span, "victim");

            assertThat(absence.userStack()).extracting(StackFrame::symbol).contains("main");
            assertThat(log.of(Absence.class).stream()
                            .filter(each -> !each.isOpen())
                            .map(Absence::timeNs))
                    .isSorted();
        }
    }

    @Test
    void shouldNotReportOtherThreadsThatWokeNoneOfThoseNamed() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT.ofThreads(List.of("nobody")), victim)) {
            victim.go();
            assertThat(victim.span().lengthNs()).isGreaterThan(LONG_NS);
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
        }
        assertThat(log.of(KernelRecord.RecorderEnd.class)).singleElement().matches(end -> end.reason()
                .isEmpty());
        assertThat(log.of(Absence.class)).noneMatch(absence -> !absence.isOpen());
    }

    @Test
    void shouldTellThatATimerWoke() throws Exception {
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Absence absence = longestIn(recorder, victim.span(), "reporter");
            assertThat(recorder.missing()).isEmpty();
            assertThat(absence.isIn("nanosleep")).isTrue();
            assertThat(absence.waking()).isNotNull();
            assertThat(absence.waking().byInterrupt()).isTrue();
        }
    }

    @Test
    void shouldNameTheThreadThatPreempted() throws Exception {
        int processor = Runtime.getRuntime().availableProcessors() - 1;
        try (Victim victim = Victim.start(program, "spin", Integer.toString(processor));
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            assertThat(recorder.add(Integer.MAX_VALUE)).isFalse();
            Absence absence = longestIn(recorder, span, "victim");

            assertExplains(absence, span);
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.PREEMPTED);
            assertThat(absence.blockedNs()).isZero();
            assertThat(absence.runnableNs()).isEqualTo(absence.lengthNs());
            assertThat(absence.next()).isNotNull();
            assertThat(absence.next().comm()).isEqualTo("hog");
            assertThat(absence.longest()).isNotNull();
            assertThat(absence.longest().comm()).isEqualTo("hog");
            assertThat(absence.longestNs()).isBetween(absence.runnableNs() / 2, absence.runnableNs());
            assertThat(absence.beginCpu()).isEqualTo(processor);
            assertThat(log.of(ProcessLife.class))
                    .anyMatch(life -> life.event() == ProcessLife.Event.FORK && !life.isNewThread());
        }
    }

    /** The time that a write took, and its longest absence. */
    private record WrittenTo(Interval span, Absence absence) {}

    private WrittenTo writeWhileFrozen(Path mount, Path target) throws Exception {
        try (Victim victim = Victim.start(program, "write", target.toString());
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            assertThat(run("fsfreeze", "--freeze", mount.toString())).isTrue();
            long beginNs = System.nanoTime();
            try {
                victim.go();
                Await.until("blocked", () -> state(victim.pid()) == 'D');
                Await.until("blocked for long", () -> System.nanoTime() - beginNs >= LONG_NS);
            } finally {
                assertThat(run("fsfreeze", "--unfreeze", mount.toString())).isTrue();
            }
            assertThat(recorder.source()).isEqualTo(RecorderSource.BPF);
            Interval span = victim.span();
            return new WrittenTo(span, longestIn(recorder, span, "victim"));
        }
    }

    @Test
    void shouldRecordAWriteToAFrozenFileSystem() throws Exception {
        Path image = own.resolve("image");
        Path mount = Files.createDirectory(own.resolve("mount"));
        try (var file = new java.io.RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(16L << 20);
        }
        if (!run("mkfs.ext4", "-q", image.toString())
                || !run("mount", "-o", "loop", image.toString(), mount.toString())) {
            abort("no loop mount is possible here");
        }
        try {
            Path target = Files.createFile(mount.resolve("file"));
            WrittenTo frozen = writeWhileFrozen(mount, target);
            // The kernel does not trace each switch; of an absence whose end it did not trace, the kernel stack is
            // unknown.
            for (int again = 1; frozen.absence().previous() == null && again < MOST_ATTEMPTS; again++) {
                frozen = writeWhileFrozen(mount, target);
            }
            Absence absence = frozen.absence();
            assertExplains(absence, frozen.span());
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.BLOCKED);
            assertThat(absence.isIn("percpu_rwsem_wait")
                            || absence.isIn("sb_start_write")
                            || absence.isIn("percpu_down_read"))
                    .as(absence.toString())
                    .isTrue();
            assertThat(absence.isIn("vfs_write")).isTrue();
        } finally {
            assertThat(run("umount", mount.toString())).isTrue();
        }
    }
}
