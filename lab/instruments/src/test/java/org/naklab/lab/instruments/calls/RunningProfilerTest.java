package org.naklab.lab.instruments.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.calls.LibraryProfile.Function;

/** A running program whose calls are known. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class RunningProfilerTest {
    private static final double LIMIT_PERCENT = 50;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    @TempDir
    private static Path programs;

    private static Path attached;

    @TempDir
    private Path directory;

    private @Nullable Process process;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        Path source = programs.resolve("attached.c");
        try (InputStream in = Objects.requireNonNull(RunningProfilerTest.class.getResourceAsStream("attached.c"))) {
            Files.copy(in, source);
        }
        attached = programs.resolve("attached");
        assertThat(new ProcessBuilder("cc", "-O1", "-pthread", "-o", attached.toString(), source.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private void start(String way) throws IOException {
        Process started = new ProcessBuilder(attached.toString(), way).start();
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
            FunctionProbes.set(directory, running().pid(), List.of(), LIMIT_PERCENT)
                    .close();
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    @Test
    void shouldCountEachCallOfEachThread() throws Exception {
        start("poll");
        assumeUprobes();
        AtomicBoolean isDone = new AtomicBoolean();
        LibraryProfile profile = profiler(() -> isToEnd(isDone)).profile(List.of("poll", "read"), LONG_NS, true);
        assertThat(isDone).as("the program has made its calls").isTrue();
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

    /** Lets the program begin at the first question, which comes when the probes are set, and ends when it has made its calls. */
    private boolean isToEnd(AtomicBoolean isDone) {
        try {
            running().getOutputStream().write('x');
            running().getOutputStream().flush();
            isDone.set("done".equals(running().inputReader().readLine()));
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertAddsUp(LibraryProfile profile) {
        double sum = profile.functions().stream().mapToDouble(Function::seconds).sum();
        assertThat(profile.nonLibrarySeconds() + sum).isCloseTo(profile.entireSeconds(), within(1e-6));
    }

    @Test
    void shouldTakeTheProbesFromAFunctionThatCostsMoreThanTheLimit() throws Exception {
        start("spin");
        assumeUprobes();
        LibraryProfile profile = profilerWithLimit(1).profile(List.of("getppid", "poll"), LONG_NS / 60, false);
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
        RunningProfiler profiler =
                new RunningProfiler(running().pid(), directory, LIMIT_PERCENT, () -> false, (any, pid, all, limit) -> {
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

    private RunningProfiler profilerWithLimit(double percent) {
        return new RunningProfiler(running().pid(), directory, percent, () -> false);
    }

    private static Function function(LibraryProfile profile, String name) {
        return profile.functions().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
