package org.naklab.lab.instruments.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
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

    private static final Path BPFTOOL = Path.of("/usr/sbin/bpftool");

    @TempDir
    private static Path directory;

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

    /** Loaders include what is generated from the programs and from the compiler's headers. */
    @BeforeAll
    static void generateHeaders() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", COMPILER)) && Files.exists(HEADERS.resolve("stdio.h")),
                COMPILER + " and the headers of libc for it are not installed");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/clang")), "clang is not installed");
        assumeTrue(Files.isExecutable(BPFTOOL), "bpftool is not installed");
        Files.createFile(directory.resolve("names.h"));
        for (Path source : sources()) {
            if (isForBpf(source)) {
                String name = source.getFileName().toString().replace(".bpf.c", "");
                compile(source, directory.resolve(name + ".bpf.o"));
                run(
                        directory.resolve(name + ".skel.h"),
                        List.of(
                                BPFTOOL.toString(),
                                "gen",
                                "skeleton",
                                directory.resolve(name + ".bpf.o").toString(),
                                "name",
                                name + "_bpf"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void shouldCompileWithoutWarnings(Path source) throws Exception {
        compile(source, directory.resolve("object"));
    }

    private static boolean isForBpf(Path source) {
        return source.toString().endsWith(".bpf.c");
    }

    private static void compile(Path source, Path object) throws Exception {
        List<String> command = new ArrayList<>(isForBpf(source) ? forBpf() : forAarch64());
        command.addAll(List.of("-Wall", "-Werror", "-O2", "-c", source.toString(), "-o", object.toString()));
        run(directory.resolve("output.txt"), command);
    }

    private static void run(Path output, List<String> command) throws Exception {
        Path messages = directory.resolve("messages.txt");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(messages.toFile())
                .start();
        int code = process.waitFor();
        assertThat(code).as(() -> read(messages)).isZero();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> forBpf() {
        return List.of("clang", "-g", "-target", "bpf", "-D__TARGET_ARCH_arm64", included(HEADERS));
    }

    private static List<String> forAarch64() {
        Path jdk = Path.of(System.getProperty("java.home"), "include");
        return List.of(
                COMPILER,
                "-std=gnu11",
                "-Wextra",
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
