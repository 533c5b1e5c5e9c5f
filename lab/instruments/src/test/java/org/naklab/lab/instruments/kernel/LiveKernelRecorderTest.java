package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.testing.Await;
import org.naklab.testing.Matrix;

/** Overloads the recorder, and ends its parent. */
@Matrix
@Timeout(120)
class LiveKernelRecorderTest extends VictimRecording {
    /** The victim's; together they are larger than the ring. */
    private static final int SLEEPS = 20_000;

    @Test
    void shouldCountWhatItLoses() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        KernelRecordListener slow = kernelRecord -> {
            // One may come before the answer that the victim is recorded, for which the test waits.
            if (!(kernelRecord instanceof KernelRecord.Alive)) {
                awaitQuietly(release);
            }
            log.onRecord(kernelRecord);
        };
        try (Victim victim = Victim.start(program, "sleep");
                KernelRecorder recorder = KernelRecorder.start(
                        RecorderSource.BPF,
                        List.of(victim.pid()),
                        new RecorderSettings(1_000, 1_000_000, 2, false, List.of()),
                        slow)) {
            victim.go();
            assertThat(victim.line()).containsExactly("done");
            release.countDown();
            end(recorder);

            long lost = log.of(LostRecords.class).stream()
                    .mapToLong(LostRecords::count)
                    .sum();
            assertThat(lost).isPositive();
            assertThat(lost + log.of(Absence.class).size()).isGreaterThan((long) (SHARE * SLEEPS));
        } finally {
            release.countDown();
        }
    }

    @Test
    void shouldEndWithItsParent() throws Exception {
        Process lab = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelRecorderMain.class.getName(),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<ProcessHandle> helpers = new ArrayList<>();
            Await.until("the program", () -> {
                lab.toHandle()
                        .children()
                        .filter(child -> command(child).contains("naklab-kernel"))
                        .forEach(helpers::add);
                return !helpers.isEmpty() || !lab.isAlive();
            });
            assertThat(helpers).isNotEmpty();
            lab.destroyForcibly().waitFor();
            Await.until("its end", () -> helpers.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            lab.destroyForcibly();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
