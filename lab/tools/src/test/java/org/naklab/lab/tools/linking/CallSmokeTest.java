package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.UnavailableException;

/** Each of the three programs that measure calls has a record of a program that ends at once. What they measure is compared with clocks in the matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CallSmokeTest {
    private static final List<String> PROGRAM = List.of("sh", "-c", "exit 3");

    @TempDir
    private Path directory;

    @Test
    void shouldRecordCallsThroughTheLinkageTable() throws Exception {
        assumeTrue(LibraryProfiler.isAvailable(), "the profiler of library calls is not built here");
        LibraryProfile profile = new LibraryProfiler(directory, directory)
                .start(PROGRAM, ProcessBuilder.Redirect.DISCARD)
                .await(false);
        assertThat(profile.exitCode()).isEqualTo(3);
        assertThat(profile.functions()).isNotEmpty();
        assertThat(profile.lostCalls()).isZero();
    }

    @Test
    void shouldRecordSystemCallsOfAllThreads() throws Exception {
        assumeTrue(SystemRecorder.isAvailable(), "the recorder of waits is not built here");
        try (SystemRecorder recorder = started()) {
            assertThat(new ProcessBuilder(PROGRAM).start().waitFor()).isEqualTo(3);
            SystemAccount account = recorder.end();
            assertThat(account.systemCalls()).isNotEmpty();
            assertThat(account.threads()).isNotEmpty();
        }
    }

    private SystemRecorder started() throws IOException {
        try {
            return SystemRecorder.start(Files.createDirectory(directory.resolve("waits")));
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
            throw e;
        }
    }

    @Test
    void shouldSetProbesAndTakeThemAway() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        try (FunctionProbes probes = probes(process.pid())) {
            probes.start();
            assertThat(probes.end().end().calls()).isZero();
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private FunctionProbes probes(long pid) throws Exception {
        try {
            return FunctionProbes.set(directory, pid, List.of(), 50, TimeUnit.SECONDS.toNanos(60));
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
            throw e;
        }
    }
}
