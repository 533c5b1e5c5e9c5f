package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.process.Installation;
import org.naklab.testing.Live;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** {@code naklab watch} on the programs of {@code docs/how-to/watch.md}, and on one in Python. */
@Live(runs = 1)
@Timeout(value = 400, unit = TimeUnit.SECONDS)
final class WatchListingsScenario {
    private static final int FOUND = 3;
    /** Each of the programs holds its lock for longer. */
    private static final double HELD_MS = 200;

    private static final int MAX_WINDOWS = 5;

    @TempDir
    private Path directory;

    /** Of one attempt. */
    private record Watched(String out, Path window, WatchDiagnosis diagnosis) {}

    @Test
    void shouldTellTheLockThatTheReceivingThreadInJavaWaitedFor() throws Exception {
        Path program = example("Receiver.java");
        Watched watched = watch(
                List.of(Installation.current().java().toString(), program.toString()), "held by reporter at Receiver.");
        String out = watched.out();

        // The others wait as well, for longer, and receive nothing.
        assertThat(out.lines().filter(line -> line.contains("java wait")))
                .isNotEmpty()
                .allMatch(line -> line.contains("/feed "));
        assertThat(out)
                .contains("socket depth rise")
                .containsPattern(
                        "stalls?[:;] .*feed waited .* ms for a lock at Receiver.*, java.lang.Object, held by reporter")
                .doesNotContain("/C2 Compiler");
        assertThat(watched.window().resolve("window.jfr")).isNotEmptyFile();
        watched.diagnosis()
                .hasCause("lock-wait", "feed", "lock")
                .hasAccounts()
                .isReported(directory, "feed received nothing for", "held by reporter", "Socket depth");
    }

    @Test
    @Matrix
    void shouldTellTheLockThatTheReceivingThreadInCWaitedFor() throws Exception {
        example("receiver.c");
        for (String line : commands("cc ")) {
            assertThat(new ProcessBuilder("sh", "-c", line)
                            .directory(directory.toFile())
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
        }
        Watched watched = watch(List.of(directory.resolve("receiver").toString()), "/feed stood still for ");

        assertThat(watched.out())
                .contains("socket depth rise")
                .containsPattern("stalls?[:;] .*feed waited .* ms for a lock .*woken by reporter");
        watched.diagnosis()
                .hasCause("lock-wait", "feed", "lock")
                .hasAccounts()
                .isReported(directory, "feed received nothing for", "reporter", "Socket depth");
    }

    @Test
    @Matrix
    void shouldTellTheLockThatTheReceivingThreadInPythonWaitedFor() throws Exception {
        Path program = directory.resolve("receiver.py");
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("locked-receiver.py"), "locked-receiver.py")) {
            Files.copy(in, program);
        }
        watch(List.of("python3", program.toString()), "/python3 stood still for ")
                .diagnosis()
                .hasCause("lock-wait", "python3", "lock")
                .hasAccounts()
                .isReported(directory, "python3 received nothing for", "Socket depth");
    }

    private Watched watch(List<String> program, String text) throws IOException {
        return LiveRun.make("WatchListingsScenario", () -> {
            Path own = Files.createTempDirectory(directory, "attempt");
            Path hunt = own.resolve("hunt");
            return untilRecorded(own, hunt, program, text);
        });
    }

    /** Returns what a watch has printed that was ended when it had shown a text and written the window with the held lock. */
    private static Watched untilRecorded(Path own, Path hunt, List<String> program, String text) throws IOException {
        Process receiver = new ProcessBuilder(program)
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("receiver.log").toFile())
                .start();
        try (NaklabProcess watch = NaklabProcess.command(
                Files.createDirectory(own.resolve("watch")),
                "watch",
                String.valueOf(receiver.pid()),
                "--record",
                hunt.toString(),
                "--windows",
                String.valueOf(MAX_WINDOWS))) {
            watch.await("the wait", () -> watch.out().contains(text));
            watch.await("the window", () -> !held(watch.out(), hunt).isEmpty());
            receiver.destroyForcibly().onExit().join();
            assertThat(watch.awaitExit()).isEqualTo(FOUND);
            Path window = held(watch.out(), hunt).get(0);
            return new Watched(watch.out(), window, WatchDiagnosis.of(window));
        } finally {
            receiver.destroyForcibly().onExit().join();
        }
    }

    /** Returns the windows with a stall as long as the programs hold their lock: on a busy machine, a shorter stall may open one before. */
    private static List<Path> held(String out, Path hunt) {
        return IntStream.rangeClosed(1, MAX_WINDOWS)
                .mapToObj(number -> hunt.resolve(String.valueOf(number)))
                .filter(window ->
                        out.contains("window written to " + window) && WatchDiagnosis.longestStallMs(window) >= HELD_MS)
                .toList();
    }

    /** Copies a program that the page links. */
    private Path example(String file) throws IOException {
        String link = "examples/held-lock/" + file;
        assertThat(guide()).contains("(../" + link + ")");
        return Files.copy(Installation.current().root().resolve("docs").resolve(link), directory.resolve(file));
    }

    /** Returns the commands of the page that begin in this way. */
    private static List<String> commands(String beginning) throws IOException {
        try (Stream<String> lines = guide().lines()) {
            List<String> commands = lines.filter(line -> line.startsWith("    " + beginning))
                    .map(String::strip)
                    .toList();
            assertThat(commands).isNotEmpty();
            return commands;
        }
    }

    private static String guide() throws IOException {
        return Files.readString(Installation.current().root().resolve("docs/how-to/watch.md"));
    }
}
