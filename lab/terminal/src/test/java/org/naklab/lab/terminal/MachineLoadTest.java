package org.naklab.lab.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class MachineLoadTest {
    @TempDir
    private Path proc;

    @Test
    void shouldNameThoseWhoUseTheProcessors() throws IOException {
        stat(0, 0, 0);
        process(10, "chromium", 0, 0);
        process(11, "chromium", 5, 5);
        process(12, "kworker (u:1)", 3, 0);
        MachineLoad.Snapshot before = MachineLoad.Snapshot.of(proc);
        stat(130, 20, 50);
        process(10, "chromium", 60, 10);
        process(11, "chromium", 35, 5);
        process(12, "kworker (u:1)", 53, 0);
        process(13, "sh", 1, 0);

        MachineLoad load =
                MachineLoad.between(before, MachineLoad.Snapshot.of(proc)).orElseThrow();

        assertThat(load.processors()).isEqualTo(2);
        assertThat(load.used()).isEqualTo(1.5);
        assertThat(load.warning("stop them")).hasValueSatisfying(text -> assertThat(text)
                .startsWith("1.5 of 2 processors are in use (chromium 1.0, kworker (u:1) 0.5);")
                .endsWith("; stop them"));
    }

    @Test
    void shouldNotWarnOfAMachineThatHasAProcessorToSpare() throws IOException {
        stat(0, 0, 0);
        MachineLoad.Snapshot before = MachineLoad.Snapshot.of(proc);
        stat(50, 50, 100);
        assertThat(MachineLoad.between(before, MachineLoad.Snapshot.of(proc))
                        .orElseThrow()
                        .warning("stop them"))
                .isEmpty();
    }

    @Test
    void shouldSayNothingWithoutTimeBetween() throws IOException {
        stat(1, 1, 1);
        MachineLoad.Snapshot once = MachineLoad.Snapshot.of(proc);
        assertThat(MachineLoad.between(once, once)).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc")
    void shouldMeasureThisMachine() {
        assertThat(MachineLoad.measure()).hasValueSatisfying(load -> {
            assertThat(load.processors()).isPositive();
            assertThat(load.used()).isBetween(0.0, (double) load.processors());
            assertThat(load.programs()).isNotEmpty();
        });
    }

    private void stat(long user, long system, long idle) throws IOException {
        Files.writeString(
                proc.resolve("stat"),
                "cpu  " + user + " 0 " + system + " " + idle + " 0 0 0 0 7 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\nintr 5\n");
    }

    private void process(long pid, String name, long user, long system) throws IOException {
        Path directory = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                directory.resolve("stat"),
                pid + " (" + name + ") S 1 1 1 0 -1 4194560 100 0 0 0 " + user + " " + system + " 0 0 20 0 1 0\n");
    }
}
