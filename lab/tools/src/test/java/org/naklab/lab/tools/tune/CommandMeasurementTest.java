package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;

@Timeout(60)
final class CommandMeasurementTest {
    private static final String FIGURE = "took ([0-9.]+) ms";

    @TempDir
    private Path directory;

    private static Sample run(Arm arm, String figure, String script) throws InterruptedException {
        return CommandMeasurement.of(List.of("sh", "-c", script), figure).measure(arm, 1);
    }

    @Test
    void shouldTakeTheLastNumberThatTheProgramPrints() throws InterruptedException {
        Arm arm = Arm.parse("slow=LENGTH=17.5");
        Sample sample = run(arm, FIGURE, "echo took 3 ms; echo took ${LENGTH:-5} ms >&2; echo done");
        assertThat(sample.value()).isEqualTo(17.5);
        assertThat(sample.effect().proof()).containsExactly("started with LENGTH=17.5");
        assertThat(run(Arm.CONTROL, FIGURE, "echo took ${LENGTH:-5} ms").value())
                .isEqualTo(5);
    }

    @Test
    void shouldMeasureWallAndProcessorTime() throws InterruptedException {
        Sample sample = run(Arm.CONTROL, "cpu", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
        assertThat(sample.value()).isEqualTo((double) sample.cost().cpuMs()).isPositive();
        assertThat(run(Arm.CONTROL, "wall", "exit 0").value()).isPositive();
    }

    @Test
    void shouldPutFlagsBehindTheProgram() throws InterruptedException {
        Sample sample = CommandMeasurement.of(
                        List.of("sh", "-c", "case $- in *f*) echo took 1 ms;; *) echo took 2 ms;; esac"), FIGURE)
                .measure(Arm.parse("noglob=-f"), 1);
        assertThat(sample.value()).isEqualTo(1);
    }

    @Test
    void shouldSayThatALibraryWasNotPreloaded() throws InterruptedException {
        assertThat(run(Arm.parse("preload=LD_PRELOAD=/no/such.so"), "wall", "exit 0")
                        .effect()
                        .missing())
                .singleElement()
                .asString()
                .contains("/no/such.so", "cannot be preloaded");
    }

    /** What a program starts may outlive it, with its output open: the program's own lines count, all of them, and nobody waits for the rest. */
    @Test
    void shouldEndWithTheProgramAndNotWithThoseThatHoldItsOutput() throws Exception {
        Path holder = directory.resolve("holder");
        Sample sample = run(
                Arm.CONTROL,
                FIGURE,
                "sleep 30 & echo $! >" + holder
                        + "; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo took $i ms; done; printf 'took 20001 ms'");
        ProcessHandle left = ProcessHandle.of(
                        Long.parseLong(Files.readString(holder).strip()))
                .orElseThrow();
        try {
            assertThat(left.isAlive()).as("the measurement ended before it").isTrue();
            assertThat(sample.value()).as("the last of 20,001 lines").isEqualTo(20_001);
        } finally {
            left.destroyForcibly();
        }
    }

    @Test
    void shouldCountEachLineOfAProgramThatEndsAtOnce() throws Exception {
        for (int i = 0; i < 50; i++) {
            assertThat(run(Arm.CONTROL, FIGURE, "seq -f 'took %.0f ms' 5000").value())
                    .isEqualTo(5_000);
        }
    }

    /** The program itself reads the limit of its control group. */
    @Test
    void shouldLimitTheMemoryOfTheProgram() throws InterruptedException {
        assumeThat(ProcessorGroup.obstacle(CgroupPaths.MEMORY)).isEmpty();
        String script = "g=$(sed -n 's/^[0-9]*:memory://p; s/^0:://p' /proc/self/cgroup | head -n 1);"
                + " cd /sys/fs/cgroup; echo took $(cat memory$g/memory.limit_in_bytes 2>/dev/null || cat .$g/memory.max) ms";
        Sample sample = run(Arm.parse("small=memory:limit=32m"), FIGURE, script);
        assertThat(sample.value()).isEqualTo(32 << 20);
        assertThat(sample.effect().proof()).containsExactly("started with memory:limit=32m");
    }

    @Test
    void shouldSayWhyARunDoesNotCount() {
        assertThatThrownBy(() -> run(Arm.CONTROL, "wall", "echo no room >&2; exit 3"))
                .isInstanceOf(LabException.class)
                .hasMessage("sh ended with 3: no room");
        assertThatThrownBy(() -> run(Arm.CONTROL, FIGURE, "echo nothing"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("no line of its output has the figure");
        assertThatThrownBy(() -> CommandMeasurement.of(List.of("sh"), "took"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in parentheses");
    }
}
