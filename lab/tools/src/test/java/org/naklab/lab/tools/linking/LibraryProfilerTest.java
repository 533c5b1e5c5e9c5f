package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.InputException;
import org.naklab.lab.tools.linking.LibraryProfile.Function;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.Installed;

/** Programs whose calls are known. */
@Matrix
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LibraryProfilerTest {
    private static final int ATTEMPTS = 5;
    private static final double TOLERANCE = 0.02;
    private static final long BOUND_S = 30;

    @TempDir
    private static Path programs;

    private static Path known;

    @TempDir
    Path directory;

    private LibraryProfiler profiler;

    @BeforeAll
    static void compile() throws Exception {
        Installed.assume("cc");
        assumeTrue(LibraryProfiler.isAvailable(), "the profiler of library calls is not built here");
        known = compile("known.c", "known", "-fplt", "-Wl,-z,lazy");
    }

    @BeforeEach
    void prepare() {
        profiler = new LibraryProfiler(directory, directory);
    }

    private static Path compile(String resource, String name, String... flags) throws Exception {
        Path source = programs.resolve(resource);
        try (InputStream in = Objects.requireNonNull(LibraryProfilerTest.class.getResourceAsStream(resource))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path program = programs.resolve(name);
        List<String> command =
                new ArrayList<>(List.of(resource.endsWith(".cpp") ? "c++" : "cc", "-O1", "-fno-builtin"));
        command.addAll(List.of("-pthread", "-o", program.toString(), source.toString()));
        command.addAll(Arrays.asList(flags));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return program;
    }

    /** A program that is bound when it is loaded calls through its linkage table as well. */
    @ParameterizedTest
    @CsvSource({"threads, 4777", "fork, 835", "longjmp, 780", "signals, 777", "measure, 777"})
    void shouldCountEachCall(String way, long calls) throws Exception {
        for (Path program : List.of(known, compile("known.c", "now", "-fplt", "-Wl,-z,now"))) {
            LibraryProfile profile = run(program, way);
            assertThat(function(profile, "getppid").calls()).isEqualTo(calls);
            assertThat(function(profile, "getppid").library()).startsWith("libc.so");
            assertThat(profile.lostCalls()).isZero();
            assertAddsUp(profile);
        }
    }

    private static void assertAddsUp(LibraryProfile profile) {
        double sum = profile.functions().stream().mapToDouble(Function::seconds).sum();
        assertThat(profile.nonLibrarySeconds() + sum).isCloseTo(profile.entireSeconds(), within(1e-6));
        double percent =
                profile.functions().stream().mapToDouble(Function::percent).sum();
        assertThat(percent + 100 * profile.nonLibrarySeconds() / profile.entireSeconds())
                .isCloseTo(100, within(1e-3));
    }

    /** A processor that is taken away between the program's clock and the hook is counted by one of both only: some attempts. */
    @ParameterizedTest
    @CsvSource({"lazy, measure, 10", "now, measure, 10", "lazy, measure-threads, 40", "now, measure-threads, 40"})
    void shouldAgreeWithTheProgramsOwnClock(String binding, String way, long calls) throws Exception {
        Path program = compile("known.c", binding, "-fplt", "-Wl,-z," + binding);
        List<String> attempts = new ArrayList<>();
        boolean met = false;
        for (int i = 0; i < ATTEMPTS && !met; i++) {
            Path output = directory.resolve("output-" + i);
            LibraryProfile profile = profiler.start(
                            List.of(program.toString(), way), ProcessBuilder.Redirect.to(output.toFile()))
                    .await(false);
            double sleptSeconds = Long.parseLong(Files.readString(output).strip()) / 1e9;
            Function sleep = function(profile, "usleep");
            assertThat(sleep.calls()).isEqualTo(calls);
            attempts.add(sleep.seconds() + " of " + sleptSeconds);
            met = Math.abs(sleep.seconds() - sleptSeconds) <= TOLERANCE * sleptSeconds;
        }
        assertThat(met).as(attempts.toString()).isTrue();
    }

    /**
     * The time of the comparisons is not that of {@code qsort}; and the table is that of the whole life of the program, as a clock outside of it and one inside
     * of it measure it.
     */
    @Test
    void shouldGiveTheSelfTimeOfNestedCallsAndTheWholeTime() throws Exception {
        Path output = directory.resolve("output");
        long beginNs = System.nanoTime();
        LibraryProfile profile = profiler.start(
                        List.of(known.toString(), "nested"), ProcessBuilder.Redirect.to(output.toFile()))
                .await(false);
        long endNs = System.nanoTime();
        String[] measured = Files.readString(output).strip().split(" ", -1);
        double sortedSeconds = Long.parseLong(measured[1]) / 1e9;
        double comparedSeconds = Long.parseLong(measured[2]) / 1e9;
        Function sort = function(profile, "qsort");
        Function sleep = function(profile, "usleep");

        assertThat(sort.calls()).isEqualTo(10);
        assertThat(sleep.seconds()).as("within comparisons").isBetween(0.9 * comparedSeconds, comparedSeconds);
        assertThat(sort.seconds() + sleep.seconds())
                .as("each moment counts once: qsort and all comparisons took " + sortedSeconds)
                .isBetween(0.9 * comparedSeconds, sortedSeconds);
        double ownSeconds = (Long.parseLong(measured[3]) - Long.parseLong(measured[0])) / 1e9;
        assertThat(profile.entireSeconds()).isBetween(ownSeconds, (endNs - beginNs) / 1e9);
        double sum = profile.functions().stream().mapToDouble(Function::seconds).sum();
        assertThat(profile.nonLibrarySeconds() + sum).isBetween(ownSeconds, (endNs - beginNs) / 1e9);
    }

    @Test
    void shouldTellTheThreadsApart() throws Exception {
        LibraryProfile profile = profiler.start(List.of(known.toString(), "threads"), ProcessBuilder.Redirect.DISCARD)
                .await(true);
        List<Long> calls = Objects.requireNonNull(profile.threads()).stream()
                .flatMap(thread -> thread.functions().stream())
                .filter(function -> function.name().equals("getppid"))
                .map(Function::calls)
                .toList();
        assertThat(calls).containsExactlyInAnyOrder(777L, 1000L, 1000L, 1000L, 1000L);
    }

    /** The child has a place of its own: its calls are not mixed up with those of its parent. */
    @Test
    void shouldTellTheChildOfAForkFromItsParent() throws Exception {
        LibraryProfile profile = profiler.start(List.of(known.toString(), "fork"), ProcessBuilder.Redirect.DISCARD)
                .await(true);
        assertThat(Objects.requireNonNull(profile.threads()))
                .filteredOn(thread -> thread.pid() != profile.pid())
                .singleElement()
                .satisfies(child -> assertThat(child.functions())
                        .filteredOn(function -> function.name().equals("getppid"))
                        .extracting(Function::calls)
                        .containsExactly(55L));
    }

    @Test
    void shouldKeepTheTableOfAProgramThatCrashes() throws Exception {
        LibraryProfile profile = run(known, "abort");
        assertThat(profile.exitCode()).isEqualTo(128 + 6);
        assertThat(function(profile, "getppid").calls()).isEqualTo(777);
        assertAddsUp(profile);
    }

    /** The call that it was killed in has the time until then. */
    @Test
    void shouldKeepTheTableOfAProgramThatIsKilled() throws Exception {
        LibraryProfiler.Run run = profiler.start(List.of(known.toString(), "wait"), ProcessBuilder.Redirect.PIPE);
        try (BufferedReader output = run.process().inputReader(StandardCharsets.US_ASCII)) {
            assertThat(output.readLine()).isEqualTo("ready");
        }
        run.process().destroyForcibly();
        LibraryProfile profile = run.await(false);
        assertThat(profile.exitCode()).isEqualTo(128 + 9);
        assertThat(function(profile, "getppid").calls()).isEqualTo(777);
        assertAddsUp(profile);
    }

    @Test
    void shouldLeaveExceptionsAlone() throws Exception {
        Path output = directory.resolve("output");
        Path program = compile("exceptions.cpp", "exceptions", "-fplt");
        LibraryProfile profile = profiler.start(
                        List.of(program.toString()), ProcessBuilder.Redirect.to(output.toFile()))
                .await(false);
        assertThat(profile.exitCode()).isZero();
        assertThat(output).hasContent("1000");
        assertThat(function(profile, "qsort").calls()).isEqualTo(500);
        assertThat(function(profile, "__cxa_begin_catch").calls()).isEqualTo(1000);
        assertThat(profile.abandonedCalls()).isGreaterThanOrEqualTo(1000);
    }

    /** The linker's trampoline copies the arguments that are on the stack. */
    @Test
    void shouldPassManyArguments() throws Exception {
        Path output = directory.resolve("output");
        profiler.start(List.of(known.toString(), "arguments"), ProcessBuilder.Redirect.to(output.toFile()))
                .await(false);
        assertThat(output)
                .hasContent("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31.5"
                        + " 32.5");
    }

    @Test
    void shouldProfileAJvm() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path output = directory.resolve("output");
        LibraryProfile profile = profiler.start(
                        List.of(java.toString(), "-Xlog:disable", "--version"),
                        ProcessBuilder.Redirect.to(output.toFile()))
                .await(true);
        assertThat(profile.exitCode()).isZero();
        assertThat(output).isNotEmptyFile();
        assertThat(function(profile, "JLI_Launch").calls()).isEqualTo(1);
        assertThat(profile.threads()).hasSizeGreaterThan(5);
        assertAddsUp(profile);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-fno-plt", "-static"})
    void shouldNotSeeCallsThatBypassTheLinkageTable(String flag) throws Exception {
        LibraryProfile profile = run(compile("known.c", "bypass", flag), "fork");
        assertThat(profile.functions()).extracting(Function::name).doesNotContain("getppid");
    }

    /**
     * The profiler is loaded first and takes the room for thread-local storage, so that a program which runs without it is not loaded. The command that the sentence
     * gives runs it.
     */
    @Test
    void shouldSayWhatAProgramNeedsWhoseThreadLocalStorageHasNoRoom() throws Exception {
        Path library = compile("threadlocal.c", "libthreadlocal.so", "-shared", "-fPIC", "-DIS_LIBRARY");
        Path program = compile("threadlocal.c", "threadlocal", "-fplt", library.toString());
        assertThat(new ProcessBuilder(program.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .as("without the profiler")
                .isZero();
        LibraryProfile lacksRoom = bounded(List.of(program.toString()), ProcessBuilder.Redirect.DISCARD);
        assertThat(lacksRoom.exitCode()).isEqualTo(127);
        assertThat(lacksRoom.notLoaded()).isEqualTo(1);
        assertThat(lacksRoom.calls()).isZero();

        String sentence = LibprofText.whyNotLoaded(lacksRoom).orElseThrow();
        String before = "naklab libprof -- ";
        List<String> advised = List.of(
                sentence.substring(sentence.indexOf(before) + before.length()).split(" ", -1));
        assertThat(advised).startsWith("env").endsWith(program.toString());
        Path output = directory.resolve("output");
        LibraryProfile hasRoom = bounded(advised, ProcessBuilder.Redirect.to(output.toFile()));
        assertThat(hasRoom.exitCode()).isZero();
        assertThat(output).hasContent("16384 bytes");
        assertThat(LibprofText.whyNotLoaded(hasRoom)).isEmpty();
        assertThat(function(hasRoom, "room_of_thread").calls()).isEqualTo(1);
    }

    /** A shell has the exit code of the dynamic linker for a command that it does not find; another program may end with it for reasons of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"nosuchcommand 2>/dev/null", "exit 127"})
    void shouldSayNothingOfTheLinkerAboutAShellThatEndsWithItsExitCode(String script) throws Exception {
        LibraryProfile profile = bounded(List.of("sh", "-c", script), ProcessBuilder.Redirect.DISCARD);
        assertThat(profile.exitCode()).isEqualTo(127);
        assertThat(profile.notLoaded()).isZero();
        assertThat(LibprofText.whyNotLoaded(profile)).isEmpty();
    }

    /** A program that hangs is ended, and fails the test. */
    private LibraryProfile bounded(List<String> command, ProcessBuilder.Redirect output) throws InterruptedException {
        LibraryProfiler.Run run = profiler.start(command, output);
        if (!run.process().waitFor(BOUND_S, TimeUnit.SECONDS)) {
            run.process().destroyForcibly();
            throw new AssertionError(command + " has not ended");
        }
        return run.await(false);
    }

    @Test
    void shouldMeasureWhatACallCosts() throws Exception {
        LibraryProfile.Overhead overhead = run(known, "").overhead();
        assertThat(overhead.nanosecondsPerCall()).isPositive();
        assertThat(overhead.insideNanosecondsPerCall()).isBetween(0.0, overhead.nanosecondsPerCall());
        assertThat(overhead.calls()).isGreaterThan(777);
    }

    @Test
    void shouldRefuseAProgramThatIsNotThere() {
        assertThatThrownBy(() -> profiler.start(List.of("/nowhere/program"), ProcessBuilder.Redirect.DISCARD))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("/nowhere/program");
    }

    /** Nothing is left behind: neither a table of the run nor that of the calibration. */
    @Test
    void shouldDeleteTheTables() throws IOException, InterruptedException {
        run(known, "");
        try (var files = Files.list(directory)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".table"));
        }
    }

    private LibraryProfile run(Path program, String way) throws InterruptedException {
        return profiler.start(List.of(program.toString(), way), ProcessBuilder.Redirect.DISCARD)
                .await(false);
    }

    private static Function function(LibraryProfile profile, String name) {
        return profile.functions().stream()
                .filter(function -> function.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + profile.functions()));
    }
}
