package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadAbsence;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.Installed;

/** Finds absences of a foreign process without BPF. */
@Matrix
@Timeout(60)
class LiveProcRecorderTest {
    /** Bounds the recorded share of what the victim measured: all but a tenth, and a period at each end. */
    private static final double SHARE = 0.8;

    @TempDir
    static Path directory;

    @BeforeAll
    static void compile() throws Exception {
        Installed.assume("cc");
        program = Victim.compile(directory);
    }

    private static Path program;

    @Test
    void shouldFindTheWaitForALockOfAForeignProcess() throws Exception {
        RecordLog log = new RecordLog();
        try (Victim victim = Victim.start(program, "lock");
                KernelRecorder recorder = KernelRecorder.start(
                        RecorderSource.PROC, List.of(victim.pid()), RecorderSettings.DEFAULT, log)) {
            victim.go();
            Interval span = victim.span();
            Await.until("a record of the wait", () -> log.isAbsentFor(SHARE, span, "victim"));
            Absence absence = log.longestIn(span, "victim");

            assertThat(span.coveredBy(List.of(absence.interval(0)))).isGreaterThan(SHARE);
            assertThat(absence.state()).isEqualTo(ThreadAbsence.State.SLEEPING);
            assertThat(absence.isIn("futex")).isTrue();
            assertThat(absence.userStack()).singleElement().satisfies(frame -> assertThat(frame.module())
                    .contains("libc"));
            assertThat(recorder.source()).isEqualTo(RecorderSource.PROC);
        }
        assertThat(log.of(KernelRecord.RecorderEnd.class)).hasSize(1);
    }
}
