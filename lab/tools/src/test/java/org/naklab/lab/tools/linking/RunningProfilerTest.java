package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linking.LibraryFunctions;
import org.naklab.lab.instruments.linking.LinkageTable;
import org.naklab.lab.tools.linking.LibraryProfile.Function;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.Installed;

/** A running program whose calls are known. */
@Matrix
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class RunningProfilerTest {
    private static final double LIMIT_PERCENT = 50;
    /** Of four threads that call all the time, on all processors. */
    private static final double NO_LIMIT_PERCENT = 400;

    private static final double CUT_LIMIT_PERCENT = 20;
    private static final double USUAL_LIMIT_PERCENT = 5;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @TempDir
    private static Path programs;

    private static Path attached;

    @TempDir
    private Path directory;

    private @Nullable Process process;

    /** The line of the program: done, and what it has measured, ns. */
    private String[] done = {};

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Installed.assume("cc");
        Path source = programs.resolve("attached.c");
        try (InputStream in = Objects.requireNonNull(RunningProfilerTest.class.getResourceAsStream("attached.c"))) {
            Files.copy(in, source);
        }
        attached = programs.resolve("attached");
        compile("-pthread", "-o", attached.toString(), source.toString(), "-ldl");
        Path library = Files.writeString(programs.resolve("item.c"), "int work_item(int i) { return i + 1; }\n");
        for (String name : List.of("libone.so", "libtwo.so")) {
            compile("-shared", "-fPIC", "-o", programs.resolve(name).toString(), library.toString());
        }
    }

    private static void compile(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cc", "-O1"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private void start(String way) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(attached.toString(), way);
        builder.environment().put("LD_LIBRARY_PATH", programs.toString());
        Process started = builder.start();
        process = started;
        assertThat(started.inputReader().readLine()).isEqualTo("ready");
    }

    private Process running() {
        return Objects.requireNonNull(process);
    }

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    /** Skips the test, with the reason, where there are no uprobes. */
    private void assumeUprobes() {
        try {
            FunctionProbes.set(directory, running().pid(), List.of(), LIMIT_PERCENT, SHORT_NS)
                    .close();
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    @Test
    void shouldCountEachCallOfEachThread() throws Exception {
        start("poll");
        assumeUprobes();
        LibraryProfile profile = profiledUntilDone("poll", "read");
        assertThat(profile.method()).isEqualTo("uprobes");
        Function poll = function(profile, "poll");
        assertThat(poll.calls()).isEqualTo(600);
        assertThat(poll.library()).startsWith("libc.so");
        assertThat(poll.seconds()).as("a call takes at least its timeout").isGreaterThanOrEqualTo(0.6);
        assertThat(Objects.requireNonNull(profile.threads()))
                .flatMap(LibraryProfile.ThreadProfile::functions)
                .filteredOn(each -> each.name().equals("poll"))
                .extracting(Function::calls)
                .containsExactly(300L, 300L);
        assertAddsUp(profile);
        assertThat(profile.lostCalls()).isZero();
        assertThat(Objects.requireNonNull(profile.attachment()).cuts()).isEmpty();
        assertThat(profile.overhead().nanosecondsPerCall()).isPositive();
    }

    private LibraryProfile profiledUntilDone(String... functions) {
        LibraryProfile profile = profiler(this::isToEnd).profile(List.of(functions), LONG_NS, true);
        assertThat(done[0]).as("the program has made its calls").isEqualTo("done");
        return profile;
    }

    /** Lets the program begin at the first question, which comes when the probes are set, and ends when it has made its calls. */
    private boolean isToEnd() {
        try {
            begin();
            done = String.valueOf(running().inputReader().readLine()).split(" ", -1);
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void begin() throws IOException {
        running().getOutputStream().write('x');
        running().getOutputStream().flush();
    }

    private double doneSeconds(int figure) {
        return Long.parseLong(done[figure]) / 1e9;
    }

    /** The time of the comparisons is not that of {@code qsort}; and no function has more time than the program's own clock. */
    @Test
    void shouldGiveTheSelfTimeOfNestedCalls() throws Exception {
        start("nested");
        assumeUprobes();
        LibraryProfile profile = profiledUntilDone("qsort", "poll");
        Function sort = function(profile, "qsort");
        Function poll = function(profile, "poll");
        assertThat(sort.calls()).isEqualTo(20);
        assertThat(poll.calls()).isBetween(40L, 60L);
        assertThat(poll.seconds()).isBetween(0.5 * doneSeconds(2), doneSeconds(2));
        assertThat(sort.seconds() + poll.seconds())
                .as("each moment counts once: qsort and all comparisons took " + doneSeconds(1))
                .isBetween(0.5 * doneSeconds(2), doneSeconds(1));
        assertThat(profile.abandonedCalls()).isZero();
    }

    /** Calls that did not return are in the table until the next call, or until the end of their thread; not until the end of the observation. */
    @ParameterizedTest
    @CsvSource({"leave, 100", "exit, 2"})
    void shouldEndCallsThatWereLeft(String way, long calls) throws Exception {
        start(way);
        assumeUprobes();
        LibraryProfile profile = profiledUntilDone("qsort", "poll");
        Function sort = function(profile, "qsort");
        assertThat(sort.calls()).isEqualTo(calls);
        assertThat(sort.seconds()).isLessThanOrEqualTo(2 * doneSeconds(1));
        assertThat(profile.abandonedCalls()).isEqualTo(calls);
        assertThat(profile.lostCalls()).isZero();
        assertThat(function(profile, "poll").seconds()).isGreaterThanOrEqualTo(0.5);
    }

    /** The call that is under way when the function loses its probes has its own time only: 0.8 s of more than 2 s. */
    @Test
    void shouldNotChargeACallThatIsUnderWayWhenTheProbesAreTaken() throws Exception {
        start("busy");
        assumeUprobes();
        AtomicBoolean isBegun = new AtomicBoolean();
        LibraryProfile profile = new RunningProfiler(running().pid(), directory, CUT_LIMIT_PERCENT, () -> {
                    if (!isBegun.getAndSet(true)) {
                        try {
                            begin();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                    return false;
                })
                .profile(List.of("poll"), 5 * SHORT_NS, true);
        assertThat(Objects.requireNonNull(profile.attachment()).cuts()).hasSize(1);
        assertThat(Objects.requireNonNull(profile.threads()))
                .filteredOn(thread -> thread.tid() == running().pid())
                .singleElement()
                .satisfies(thread -> assertThat(thread.functions())
                        .singleElement()
                        .satisfies(poll -> assertThat(poll.seconds()).isBetween(0.6, 1.4)));
    }

    /** Probes cost as much before the count as in it. */
    @Test
    void shouldCountWhatProbesCostBeforeTheCountBegins() throws Exception {
        start("poll");
        assumeUprobes();
        try (LibraryFunctions functions = LibraryFunctions.of(running().pid());
                FunctionProbes probes = FunctionProbes.set(
                        directory, running().pid(), functions.named("poll").subList(0, 1), LIMIT_PERCENT, LONG_NS)) {
            assertThat(isToEnd()).isTrue();
            probes.start();
            assertThat(isToEnd()).isTrue();
            FunctionProbes.End end = probes.end().end();
            assertThat(end.calls()).isEqualTo(600);
            assertThat(end.traps()).isEqualTo(1200);
            assertThat(end.ownNs()).isPositive();
            assertThat(end.probedNs()).isGreaterThan(end.elapsedNs());
        }
    }

    /** A program that has no linkage table is measured from its first instruction on. */
    @ParameterizedTest
    @CsvSource({"threads, 4777", "measure, 777"})
    void shouldCountEachCallOfAStartedProgramWithoutALinkageTable(String way, long calls) throws Exception {
        start("poll");
        assumeUprobes();
        Path program = compileKnown("-fno-plt");
        assertThat(LinkageTable.isUsedBy(program)).isFalse();
        LibraryProfile profile = startedProfile(program, way);
        assertThat(profile.method()).isEqualTo("uprobes");
        assertThat(Objects.requireNonNull(profile.attachment()).choice()).isEqualTo("imports");
        assertThat(profile.exitCode()).isZero();
        assertThat(profile.command()).containsExactly(program.toString(), way);
        assertThat(function(profile, "getppid").calls()).isEqualTo(calls);
    }

    @Test
    void shouldSampleAStartedStaticProgram() throws Exception {
        start("poll");
        assumeUprobes();
        Path program = compileKnown("-static");
        assertThat(LinkageTable.isUsedBy(program)).isFalse();
        LibraryProfile profile = startedProfile(program, "pause");
        assertThat(Objects.requireNonNull(profile.attachment()).choice()).isEqualTo("samples");
        assertThat(profile.exitCode()).isEqualTo(3);
        assertThat(profile.functions().get(0).name()).contains("nanosleep");
        assertThat(profile.functions().get(0).percent()).isGreaterThan(50);
    }

    private LibraryProfile startedProfile(Path program, String way) throws InterruptedException {
        LibraryProfiler profiler = new LibraryProfiler(directory, directory);
        return StartedProgram.start(profiler, List.of(program.toString(), way), ProcessBuilder.Redirect.DISCARD)
                .await(directory, NO_LIMIT_PERCENT, false);
    }

    private static Path compileKnown(String flag) throws IOException, InterruptedException {
        Path source = programs.resolve("known.c");
        try (InputStream in = Objects.requireNonNull(RunningProfilerTest.class.getResourceAsStream("known.c"))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path program = programs.resolve("known" + flag);
        compile("-fno-builtin", flag, "-pthread", "-o", program.toString(), source.toString());
        return program;
    }

    @Test
    void shouldMeasureAFunctionInEachLibraryThatHasIt() throws Exception {
        start("twice");
        assumeUprobes();
        LibraryProfile profile = profiledUntilDone("work_item");
        assertThat(profile.functions())
                .extracting(Function::library, Function::calls)
                .containsExactlyInAnyOrder(tuple("libone.so", 3L), tuple("libtwo.so", 5L));
    }

    private static void assertAddsUp(LibraryProfile profile) {
        double sum = profile.functions().stream().mapToDouble(Function::seconds).sum();
        assertThat(profile.nonLibrarySeconds() + sum).isCloseTo(profile.entireSeconds(), within(1e-6));
    }

    @Test
    void shouldTakeTheProbesFromAFunctionThatCostsMoreThanTheLimit() throws Exception {
        start("spin");
        assumeUprobes();
        LibraryProfile profile = new RunningProfiler(running().pid(), directory, USUAL_LIMIT_PERCENT, () -> false)
                .profile(List.of("getppid", "poll"), 4 * SHORT_NS, false);
        assertThat(Objects.requireNonNull(profile.attachment()).cuts())
                .singleElement()
                .satisfies(cut -> {
                    assertThat(cut.name()).isEqualTo("getppid");
                    assertThat(cut.calls())
                            .isLessThanOrEqualTo(function(profile, "getppid").calls());
                });
        assertThat(profile.overhead().calls())
                .as("no call is counted after it")
                .isEqualTo(function(profile, "getppid").calls());
        LibraryProfile.Attachment attachment = profile.attachment();
        assertThat(attachment.cost().recorderSeconds()).isPositive();
        assertThat(attachment.cost().samplerSeconds()).isPositive();
        assertThat(attachment.costPercent()).isPositive().isLessThanOrEqualTo(USUAL_LIMIT_PERCENT);
    }

    @Test
    void shouldTakeTheFunctionsThatItsThreadsWaitIn() throws Exception {
        start("poll");
        assumeUprobes();
        LibraryProfile profile = profiler(() -> false).profile(List.of(), SHORT_NS, false);
        assertThat(Objects.requireNonNull(profile.attachment()).choice()).isEqualTo("samples");
        assertThat(profile.functions()).extracting(Function::name).containsExactly("read");
        assertThat(function(profile, "read").calls())
                .as("the call had begun before")
                .isZero();
        assertThat(function(profile, "read").percent()).isGreaterThan(90);
        assertAddsUp(profile);
    }

    /** As on a kernel without them: what was asked for is refused with the reason, and samples take their place without a choice. */
    @Test
    void shouldSayWhyThereAreNoProbes() throws Exception {
        start("poll");
        RunningProfiler profiler = new RunningProfiler(
                running().pid(), directory, LIMIT_PERCENT, () -> false, (any, pid, all, limit, ns) -> {
                    throw new UnavailableException("no uprobes: a kernel without them");
                });
        assertThatThrownBy(() -> profiler.profile(List.of("poll"), SHORT_NS, false))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("no uprobes: a kernel without them");

        LibraryProfile profile = profiler.profile(List.of(), SHORT_NS, false);
        assertThat(profile.method()).isEqualTo("samples");
        assertThat(Objects.requireNonNull(profile.attachment()).noProbes())
                .containsExactly("no uprobes: a kernel without them");
        assertThat(function(profile, "read").calls()).isZero();
        assertThat(function(profile, "read").percent()).isGreaterThan(90);
        assertAddsUp(profile);
    }

    @Test
    void shouldRefuseByNameWhatCannotBeProbed() throws Exception {
        start("poll");
        assertThatThrownBy(() -> profiler(() -> false).profile(List.of("strlen"), SHORT_NS, false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("strlen cannot be probed: libc.so.6 chooses");
        assertThatThrownBy(() -> profiler(() -> false).profile(List.of("no_such"), SHORT_NS, false))
                .isInstanceOf(UsageException.class)
                .hasMessage("no library of the process has a function no_such");
        assertThatThrownBy(() -> profiler(() -> false).profile(List.of("longjmp"), SHORT_NS, false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("longjmp cannot be probed");
        end();
        assertThatThrownBy(() -> profiler(() -> false).profile(List.of("poll"), SHORT_NS, false))
                .isInstanceOf(InputException.class);
    }

    private RunningProfiler profiler(BooleanSupplier isEnded) {
        return new RunningProfiler(running().pid(), directory, LIMIT_PERCENT, isEnded);
    }

    private static Function function(LibraryProfile profile, String name) {
        return profile.functions().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
