package org.naklab.lab.tools.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.LabException;
import org.naklab.lab.instruments.linux.CgroupPaths;

@Timeout(60)
final class CommandMeasurementTest {
    private static final String FIGURE = "took ([0-9.]+) ms";

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
