package org.naklab.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
final class MachineFiguresTest {
    private static final String PRESSURE = """
            some avg10=13.41 avg60=28.88 avg300=34.05 total=%d
            full avg10=0.00 avg60=0.00 avg300=0.00 total=7
            """;

    private static final String PROCESS =
            "4711 (a) b) R 1 4711 5987 0 -1 4194304 100 0 0 0 %d 20 300 4000 20 0 1 0 842402 3133440 410";

    @TempDir
    private Path proc;

    @Test
    void shouldCompareTwoReadingsOfTheKernel() throws IOException {
        write("cpu  1000 0 0 9000 0 0 0 100 0 0", 1_000_000, 1);
        MachineFigures before = MachineFigures.read(proc);
        write("cpu  1250 50 0 9650 0 0 0 150 0 0", 2_000_000, 101);
        MachineFigures after = MachineFigures.read(proc);
        Disturbance disturbance = after.since(before, 5);
        assertThat(disturbance.stolen()).isEqualTo(0.05);
        assertThat(disturbance.foreign()).as("300 ticks less 100 of our own").isEqualTo(0.2);
        assertThat(disturbance.latestTimerNs()).isEqualTo(5);
        double us = (after.atNs() - before.atNs()) / 1000.0;
        assertThat(disturbance.pressure() * us).isCloseTo(1_000_000, within(2_000_000 / us));
    }

    @Test
    void shouldReadTheTimesOfAProcessAndItsDeadChildren() {
        assertThat(MachineFigures.ticks(String.format(PROCESS, 1))).isEqualTo(4321);
        assertThat(MachineFigures.waitedUs(String.format(PRESSURE, 514_509_567)))
                .isEqualTo(514_509_567);
        assertThatThrownBy(() -> MachineFigures.waitedUs("full total=1\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCallTheMachineDisturbedByEachOfItsFigures() {
        assertThat(new Disturbance(0.04, 0.9, 0.5, 99_000_000).isDisturbed())
                .as("one busy core of two")
                .isFalse();
        assertThat(new Disturbance(0, 0.5, 0.9, 0).isDisturbed())
                .as("nobody waited")
                .isFalse();
        assertThat(new Disturbance(0.06, 0, 0, 0).isDisturbed()).isTrue();
        assertThat(new Disturbance(0, 0.7, 0.7, 0).isDisturbed()).isTrue();
        assertThat(new Disturbance(0, 0, 0, 101_000_000).isDisturbed()).isTrue();
    }

    @Test
    void shouldWatchTheRealMachine() throws IOException {
        Disturbance disturbance = MachineWatch.begin().end();
        assertThat(disturbance.stolen()).isBetween(0.0, 1.0);
        assertThat(disturbance.foreign()).isNotNegative();
    }

    private void write(String cpus, long waitedUs, long ownTicks) throws IOException {
        Files.createDirectories(proc.resolve("pressure"));
        Files.writeString(proc.resolve("stat"), cpus + '\n');
        Files.writeString(proc.resolve("pressure/cpu"), String.format(PRESSURE, waitedUs));
        Path self = proc.resolve(Long.toString(ProcessHandle.current().pid()));
        Files.createDirectories(self);
        Files.writeString(self.resolve("stat"), String.format(PROCESS, ownTicks));
    }
}
