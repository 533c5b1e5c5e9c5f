package org.naklab.lab.instruments.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.instruments.kernel.symbols.StackFrame;
import org.naklab.testing.Matrix;

/** Names functions of a stripped program by the file that has its symbols, in a file system of its own. */
@Matrix
@Timeout(120)
class LiveDebugFileTest extends VictimRecording {
    private static final String BUILD_ID = "Build ID: ";

    @Test
    void shouldNameFunctionsByBuildId() throws Exception {
        Path stripped = own.resolve("victim");
        Assumptions.assumeThat(run(
                        "cc",
                        "-O2",
                        "-pthread",
                        "-static",
                        "-Wl,--build-id",
                        "-o",
                        stripped.toString(),
                        directory.resolve("victim.c").toString()))
                .as("a static C library")
                .isTrue();
        Path symbols = debugFile(stripped);
        Files.createDirectories(symbols.getParent());
        assertThat(run("objcopy", "--only-keep-debug", stripped.toString(), symbols.toString()))
                .isTrue();
        assertThat(run("strip", "--strip-all", stripped.toString())).isTrue();

        assertThat(functions()).containsSubsequence("Victim::handleMessage(int)", "main");
        Files.delete(symbols);
        assertThat(functions()).isNotEmpty().doesNotContain("main");
    }

    @Test
    void shouldResolveWhatTheFilesOfThisMachineName() throws Exception {
        assertThat(KernelRecorder.resolves("malloc")).isTrue();
        assertThat(KernelRecorder.resolves("no_such_function")).isFalse();
        Path linker = Path.of("/lib64/ld-linux-x86-64.so.2").toRealPath();
        Path symbols = Path.of("/").resolve(own.relativize(debugFile(linker)));
        assertThat(KernelRecorder.resolves("do_lookup_x"))
                .isEqualTo(names(linker) || (Files.exists(symbols) && names(symbols)));
    }

    /** An audit library has a C library of its own, which lies beside that of the program. */
    @Test
    void shouldUnwindThroughTheSecondCopyOfALibrary() throws Exception {
        try (Victim victim = Victim.start(program, "twice");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            assertThat(longestIn(recorder, span, "victim").userStack())
                    .extracting(StackFrame::symbol)
                    .containsSubsequence("usleep", "main", "_start");
        }
    }

    private static boolean names(Path file) throws IOException {
        Process readelf = new ProcessBuilder("readelf", "--symbols", "--wide", file.toString()).start();
        return readelf.inputReader(StandardCharsets.US_ASCII).lines().anyMatch(line -> line.endsWith(" do_lookup_x"));
    }

    /** Records the wait for the lock; innermost first. */
    private List<String> functions() throws IOException {
        try (Victim victim = Victim.start(Path.of("chroot"), own.toString(), "/victim", "lock");
                KernelRecorder recorder = record(RecorderSettings.DEFAULT, victim)) {
            victim.go();
            Interval span = victim.span();
            return longestIn(recorder, span, "victim").userStack().stream()
                    .map(StackFrame::symbol)
                    .toList();
        }
    }

    private Path debugFile(Path program) throws IOException {
        Process readelf = new ProcessBuilder("readelf", "--notes", program.toString()).start();
        String id = readelf.inputReader(StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.contains(BUILD_ID))
                .map(line -> line.substring(line.indexOf(BUILD_ID) + BUILD_ID.length())
                        .strip())
                .findFirst()
                .orElseThrow();
        return own.resolve("usr/lib/debug/.build-id")
                .resolve(id.substring(0, 2))
                .resolve(id.substring(2) + ".debug");
    }
}
