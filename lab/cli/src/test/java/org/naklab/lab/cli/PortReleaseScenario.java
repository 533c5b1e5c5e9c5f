package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.terminal.network.PortLock;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** A run gives its ports back when it ends, however that is, and not only when its process ends. */
@Matrix
@EnabledOnOs(value = OS.LINUX, disabledReason = "there is no /proc, and nothing is locked")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class PortReleaseScenario {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int port = FreePorts.pair();

    @TempDir
    private Path directory;

    @Test
    void shouldGivePortsBackAfterARun() throws IOException {
        CommandLineRun run = LiveRun.make("PortReleaseScenario", () -> run(directory.resolve("runs"), "1"));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("(?m)^PASS ");
        assertIsFree();
    }

    /** Not even root makes a directory below a file. */
    @Test
    void shouldGivePortsBackWhenARunCannotBegin() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        CommandLineRun run = run(file.resolve("runs"), "1");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(66);
        assertThat(run.err()).contains("cannot make a run directory");
        assertIsFree();
    }

    @Test
    void shouldGivePortsBackAfterARunOfWhichAProcessWasKilled() {
        CompletableFuture<CommandLineRun> running =
                CompletableFuture.supplyAsync(() -> run(directory.resolve("runs"), "600"));
        while (!running.isDone() && !killService()) {
            assertThat(Thread.interrupted()).as("the test took too long").isFalse();
            LockSupport.parkNanos(STEP_NS);
        }
        CommandLineRun run = running.join();
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(2);
        assertThat(run.out()).contains("mds (pid ", "killed by signal 9");
        assertIsFree();
    }

    private CommandLineRun run(Path runs, String seconds) {
        return CommandLineRun.of(
                "run",
                "baseline",
                "--port",
                String.valueOf(port),
                "--runs",
                runs.toString(),
                "--rate",
                "500",
                "--duration",
                seconds);
    }

    private boolean killService() {
        return ProcessHandle.current()
                .children()
                .filter(child -> NaklabProcess.commandOf(child).contains("/mds.json\0"))
                .anyMatch(ProcessHandle::destroyForcibly);
    }

    private void assertIsFree() {
        assertThatNoException().as("the ports in the process of the run").isThrownBy(() -> PortLock.of(port)
                .close());
    }
}
