package org.naklab.lab.instruments.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.instruments.calls.SystemAccount.Parts;
import org.naklab.lab.instruments.calls.SystemAccount.SystemCall;
import org.naklab.lab.instruments.calls.SystemAccount.ThreadAccount;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SystemRecorderTest {
    @TempDir
    private static Path programs;

    private static Path known;

    @TempDir
    Path directory;

    private record Counts(long calls, long errors) {}

    @BeforeAll
    static void prepare() throws Exception {
        assumeTrue(SystemRecorder.isAvailable(), "the recorder of waits is not built here");
        try {
            SystemRecorder.start(programs).close();
        } catch (UnavailableException e) {
            assumeTrue(false, e.getMessage());
        }
        Path source = programs.resolve("known.c");
        try (InputStream in = Objects.requireNonNull(SystemRecorderTest.class.getResourceAsStream("known.c"))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        known = programs.resolve("known");
        run(
                ProcessBuilder.Redirect.DISCARD,
                "cc",
                "-O1",
                "-fno-builtin",
                "-pthread",
                "-o",
                known.toString(),
                source.toString());
    }

    private static void run(ProcessBuilder.Redirect output, String... command)
            throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command)
                        .redirectOutput(output)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start()
                        .waitFor())
                .as(Arrays.toString(command))
                .isZero();
    }

    private SystemAccount recorded(ProcessBuilder.Redirect output, String... command)
            throws IOException, InterruptedException {
        try (SystemRecorder recorder = SystemRecorder.start(directory)) {
            run(output, command);
            return recorder.end();
        }
    }

    /** What the JVM's helper did before it became the program is not counted. */
    @ParameterizedTest
    @ValueSource(strings = {"", "longjmp", "arguments", "signals", "fork"})
    void shouldCountAsStraceDoes(String way) throws Exception {
        Path table = directory.resolve("strace");
        assumeTrue(
                new ProcessBuilder("strace", "-f", "-c", "-w", "-o", table.toString(), known.toString(), way)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0,
                "strace cannot trace here");
        Map<String, Counts> ours =
                recorded(ProcessBuilder.Redirect.DISCARD, known.toString(), way).systemCalls().stream()
                        .collect(Collectors.toMap(
                                SystemCall::name,
                                call -> new Counts(call.calls(), call.errors()),
                                (one, two) -> one,
                                TreeMap::new));
        assertThat(ours).isEqualTo(strace(table));
    }

    /** Columns: share, seconds, microseconds a call, calls, errors if there are any, name. */
    private static Map<String, Counts> strace(Path table) throws IOException {
        Map<String, Counts> counts = new TreeMap<>();
        for (String line : Files.readAllLines(table)) {
            String[] words = line.strip().split(" +", -1);
            if (words.length >= 5 && words[0].matches("[0-9.]+") && !words[words.length - 1].equals("total")) {
                long errors = words.length == 6 ? Long.parseLong(words[4]) : 0;
                counts.put(words[words.length - 1], new Counts(Long.parseLong(words[3]), errors));
            }
        }
        return counts;
    }

    /** The account has all of the thread's life: at least what it slept by its own clock, at most what this test waited. */
    @Test
    void shouldAccountForTheWholeLifeOfAThread() throws Exception {
        Path output = directory.resolve("output");
        long beginNs = System.nanoTime();
        SystemAccount account = recorded(ProcessBuilder.Redirect.to(output.toFile()), known.toString(), "measure");
        double wallSeconds = (System.nanoTime() - beginNs) / 1e9;
        double sleptSeconds = Long.parseLong(Files.readString(output).strip()) / 1e9;

        assertThat(account.threads()).singleElement().satisfies(thread -> {
            assertThat(thread.name()).isEqualTo("known");
            assertThat(thread.seconds()).isBetween(sleptSeconds, wallSeconds);
            Parts parts = thread.parts();
            assertThat(parts.onProcessor() + parts.runnable() + parts.sleep()).isGreaterThan(0.99 * sleptSeconds);
            assertThat(parts.sleep()).isLessThanOrEqualTo(sleptSeconds);
        });
        assertThat(account.systemCalls())
                .filteredOn(call -> call.name().equals("clock_nanosleep"))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.calls()).isEqualTo(10);
                    assertThat(call.waitingSeconds()).isGreaterThan(call.cpuSeconds());
                    assertThat(call.longestSeconds()).isBetween(call.meanSeconds(), call.seconds());
                });
        assertThat(account.lost()).isZero();
    }

    /** The second waits for the lock of a file that the first holds while it sleeps. */
    @Test
    void shouldTellAWaitForALockFromASleep() throws Exception {
        String lock = directory.resolve("lock").toString();
        String script = "flock " + lock + " sh -c 'echo; sleep 0.3' | (read line; exec flock " + lock + " true)";
        SystemAccount account = recorded(ProcessBuilder.Redirect.DISCARD, "sh", "-c", script);

        ThreadAccount waiter = account.threads().stream()
                .filter(thread -> thread.parts().lock() > 0)
                .findFirst()
                .orElseThrow();
        double sleptSeconds = account.threads().stream()
                .filter(thread -> thread.name().equals("sleep"))
                .mapToDouble(thread -> thread.parts().sleep())
                .sum();
        assertThat(sleptSeconds).isGreaterThan(0.29);
        assertThat(waiter.parts().lock()).isGreaterThan(0.5 * sleptSeconds);
        assertThat(List.of(waiter.name())).containsAnyOf("flock", "true");
    }

    /** The exercise of docs/how-to/libprof.md. */
    @Test
    void shouldNameTheLockThatAllWritersWaitFor() throws Exception {
        Path source = Path.of(System.getProperty("naklab.root"), "docs/examples/lock-convoy/convoy.c");
        String convoy = programs.resolve("convoy").toString();
        run(ProcessBuilder.Redirect.DISCARD, "cc", "-Wall", "-Werror", "-o", convoy, source.toString());
        Path wide = directory.resolve("wide");
        Path narrow = directory.resolve("narrow");
        SystemAccount account = recorded(ProcessBuilder.Redirect.to(wide.toFile()), convoy, "wide", "1000");
        run(ProcessBuilder.Redirect.to(narrow.toFile()), convoy, "narrow", "1000");

        assertThat(account.systemCalls().get(0).name()).isEqualTo("flock");
        assertThat(account.threads().stream()
                        .filter(thread -> thread.parts().lock() > 0.5 * thread.seconds())
                        .count())
                .isEqualTo(4);
        assertThat(plainEvents(narrow)).isGreaterThanOrEqualTo(2 * plainEvents(wide));
    }

    private static long plainEvents(Path output) throws IOException {
        String text = Files.readString(output);
        assertThat(text).matches("\\d+ plain events, \\d+ snapshots\\n");
        return Long.parseLong(text.substring(0, text.indexOf(' ')));
    }
}
