package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiles the C sources for aarch64 without warnings; a release links them. The profiler of library calls is for x86-64 only. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class Aarch64SourcesTest {
    private static final List<Path> SOURCES = List.of(Path.of("src/main/c"), Path.of("../tools/src/main/c"));
    private static final String COMPILER = "aarch64-linux-gnu-gcc";
    private static final Path HEADERS = Path.of("/usr/aarch64-linux-gnu/include");

    @TempDir
    private Path directory;

    static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path directory : SOURCES) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(file -> file.toString().endsWith(".c")
                                && !file.toString().contains("libprof"))
                        .sorted()
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    @BeforeEach
    void needCompilerAndHeaders() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", COMPILER)) && Files.exists(HEADERS.resolve("stdio.h")),
                COMPILER + " and the headers of libc for it are not installed");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/clang")), "clang is not installed");
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldCompileWithoutWarnings(Path source) throws Exception {
        // The script writes it from the compiler's own headers.
        Files.createFile(directory.resolve("names.h"));
        List<String> command = new ArrayList<>(source.toString().endsWith(".bpf.c") ? forBpf() : forAarch64(source));
        String object = directory.resolve("object").toString();
        command.addAll(List.of("-Wall", "-Werror", "-O2", "-c", source.toString(), "-o", object));
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String messages = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(messages).isZero();
    }

    private static List<String> forBpf() {
        return List.of("clang", "-g", "-target", "bpf", "-D__TARGET_ARCH_arm64", included(HEADERS));
    }

    private List<String> forAarch64(Path source) {
        Path jdk = Path.of(System.getProperty("java.home"), "include");
        // In place of the BPF programs, any file.
        String programs = String.format("-DNAKLAB_BPF_OBJECT=\"%s\"", source.toAbsolutePath());
        return List.of(
                COMPILER,
                "-std=gnu11",
                "-Wextra",
                programs,
                included(directory),
                included(jdk),
                included(jdk.resolve("linux")),
                "-idirafter",
                "/usr/include");
    }

    private static String included(Path headers) {
        return "-I".concat(headers.toString());
    }
}
