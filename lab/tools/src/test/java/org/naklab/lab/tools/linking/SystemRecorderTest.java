package org.naklab.lab.tools.linking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.tools.linking.SystemAccount.Parts;
import org.naklab.lab.tools.linking.SystemAccount.SystemCall;
import org.naklab.lab.tools.linking.SystemAccount.ThreadAccount;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.Installed;

@Matrix
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class SystemRecorderTest {
    private static final int ATTEMPTS = 5;
    private static final double TOLERANCE = 0.01;

    @TempDir
    private static Path programs;

    private static Path known;

    @TempDir
    Path directory;

    private record Counts(long calls, long errors) {}

    @BeforeAll
    static void prepare() throws Exception {
        Installed.assume("cc");
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
                    assertThat(call.times().waitingSeconds())
                            .isGreaterThan(call.times().cpuSeconds());
                    assertThat(call.times().longestSeconds())
                            .isBetween(call.times().meanSeconds(), call.times().seconds());
                });
        assertThat(account.lost()).isZero();
    }

    /**
     * Four threads compute, sleep, wait for each other and wait in poll, and measure their lives by their own clocks: the parts of each add up to it, with 1 %. A
     * thread that waits for a processor before its first look at the clock and after its last one lives longer than it knows: some attempts.
     */
    @Test
    void shouldAgreeWithTheLivesThatThreadsMeasure() throws Exception {
        List<String> attempts = new ArrayList<>();
        boolean met = false;
        for (int i = 0; i < ATTEMPTS && !met; i++) {
            Path output = directory.resolve("lives-" + i);
            SystemAccount account = recorded(ProcessBuilder.Redirect.to(output.toFile()), known.toString(), "lives");
            Map<Integer, Double> lives = new TreeMap<>();
            for (String line : Files.readAllLines(output)) {
                String[] words = line.split(" ", -1);
                lives.put(Integer.parseInt(words[0]), Long.parseLong(words[1]) / 1e9);
            }
            assertThat(lives).hasSize(4);
            List<ThreadAccount> threads = account.threads().stream()
                    .filter(thread -> lives.containsKey(thread.tid()))
                    .toList();
            assertThat(threads).hasSize(4).allSatisfy(thread -> {
                double ownSeconds = Objects.requireNonNull(lives.get(thread.tid()));
                assertThat(thread.seconds()).isGreaterThanOrEqualTo(ownSeconds);
                assertThat(sum(thread.parts())).isCloseTo(thread.seconds(), withinPercentage(1));
                assertThat(thread.parts().sleep()).isGreaterThanOrEqualTo(0.09);
                assertThat(thread.parts().poll()).isGreaterThanOrEqualTo(0.09);
                assertThat(thread.parts().onProcessor()).isPositive();
            });
            assertThat(threads)
                    .as("the first of them finds the lock free")
                    .filteredOn(thread -> thread.parts().lock() > 0)
                    .hasSizeGreaterThanOrEqualTo(3);
            attempts.add(threads.stream()
                    .map(thread -> sum(thread.parts()) + " of " + lives.get(thread.tid()))
                    .toList()
                    .toString());
            met = threads.stream()
                    .allMatch(thread ->
                            sum(thread.parts()) <= (1 + TOLERANCE) * Objects.requireNonNull(lives.get(thread.tid())));
        }
        assertThat(met).as(attempts.toString()).isTrue();
    }

    private static double sum(Parts parts) {
        return parts.onProcessor()
                + parts.runnable()
                + parts.pageFault()
                + parts.lock()
                + parts.disk()
                + parts.poll()
                + parts.sleep()
                + parts.other();
    }

    /** The thread that pauses is alive at the end: it has its name, and the time since the recorder came. */
    @Test
    void shouldAccountForAProcessThatRunsAlready() throws Exception {
        Process process = new ProcessBuilder(known.toString(), "wait").start();
        try {
            assertThat(process.inputReader().readLine()).isEqualTo("ready");
            long beginNs;
            long askedNs;
            SystemAccount account;
            try (SystemRecorder recorder = SystemRecorder.attach(directory, process.pid())) {
                beginNs = System.nanoTime();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                askedNs = System.nanoTime();
                account = recorder.end();
            }
            assertThat(account.threads()).singleElement().satisfies(thread -> {
                assertThat(thread.name()).isEqualTo("known");
                assertThat(thread.tid()).isEqualTo(process.pid());
                assertThat(thread.seconds()).isGreaterThanOrEqualTo((askedNs - beginNs) / 1e9);
                assertThat(sum(thread.parts())).isCloseTo(thread.seconds(), withinPercentage(1));
                assertThat(thread.parts().sleep()).isGreaterThanOrEqualTo((askedNs - beginNs) / 1e9);
            });
            assertThat(account.systemCalls()).as("the call had begun before").isEmpty();
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    /** In a PID namespace, the kernel's numbers of processes mean others. */
    @ParameterizedTest
    @ValueSource(strings = {"naklab-waits 1", "naklab-calls 1 50 1000"})
    void shouldRefuseNumbersOfAnotherNamespace(String command) throws Exception {
        String name = command.substring(0, command.indexOf(' '));
        Path program = directory.resolve(name);
        try (InputStream in = Objects.requireNonNull(SystemRecorder.class.getResourceAsStream("native/" + name))) {
            Files.copy(in, program);
        }
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process process = new ProcessBuilder(
                        "unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", directory + "/" + command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        assertThat(process.inputReader().readLine())
                .contains("\"kind\":\"error\"")
                .contains("(a container's PID namespace): run it on the host");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** A lock that nobody waits for is in no table; a wait that never returned, because the process ended, is. */
    @ParameterizedTest
    @ValueSource(strings = {"lock", "deadlock"})
    void shouldTellWhoHeldALockForHowLong(String way) throws Exception {
        Path output = directory.resolve("output");
        SystemAccount account = recorded(ProcessBuilder.Redirect.to(output.toFile()), known.toString(), way);

        String[] lock = Files.readString(output).strip().split(" ", -1);
        assertThat(account.locks()).singleElement().satisfies(contended -> {
            assertThat(contended.address()).isEqualTo(lock[0]);
            assertThat(contended.holder()).isEqualTo("known (" + lock[1] + ")");
            assertThat(contended.longestWaiter()).startsWith("known (").isNotEqualTo(contended.holder());
            assertThat(contended.waits().waits()).isPositive();
            assertThat(contended.waits().longestSeconds())
                    .isBetween(0.05, contended.waits().seconds());
        });
        assertThat(account.conditions().waits() > 0).isEqualTo(way.equals("lock"));
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
