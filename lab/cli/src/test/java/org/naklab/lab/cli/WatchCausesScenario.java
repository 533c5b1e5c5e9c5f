package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.Json;
import org.naklab.lab.instruments.kernel.KernelRecorder;
import org.naklab.lab.instruments.kernel.RecorderSource;
import org.naklab.testing.LiveRun;
import org.naklab.testing.Matrix;

/** {@code naklab watch} on a receiver in C that stalls for reasons of its own: the summary, the exit code and the report name what its thread waited for. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class WatchCausesScenario {
    private static final int FOUND = 3;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lock | recv waited [0-9.,]+ ms for a lock in on_datagram, woken by reporter, which slept | lock | woken by reporter",
                "pipe | recv waited [0-9.,]+ ms for a pipe in on_datagram, woken by reporter, which slept | pipe | reporter",
                "flock | recv waited [0-9.,]+ ms for a file lock in on_datagram, flock of /.*/stalling, held by reporter"
                        + " | file-lock | held by reporter",
                "work | recv kept datagrams waiting for [0-9.,]+ (of [0-9.,]+ )?ms: it worked on a CPU | on-cpu | in on_datagram",
                "slow | recv kept datagrams waiting for [0-9.,]+ (of [0-9.,]+ )?ms: it worked on a CPU | on-cpu | in on_datagram",
            })
    void shouldTellWhatTheReceivingThreadWaitedFor(String command, String sentence, String kind, String detail)
            throws Exception {
        Path program = StallingReceiver.compile(directory, "stalling");
        Hunt hunt = LiveRun.make("WatchCausesScenario", () -> hunt(program, command));

        assertThat(hunt.outcome().exitCode()).isEqualTo(FOUND);
        assertThat(hunt.outcome().out()).containsPattern(Pattern.compile(sentence));
        assertThat(assertKindOfLongest(hunt.window(), kind).path("detail").asText())
                .contains(detail);
        assertReport(hunt.window());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellThatTheThreadWhichSpinsWorkedOnSomethingElse(boolean hasOtherThread) throws Exception {
        assumeTrue(!hasOtherThread || KernelRecorder.whyNot(RecorderSource.BPF).isEmpty(), "needs the kernel recorder");
        Path program = StallingReceiver.compile(directory, "spinning", "spinning-receiver.c");
        Hunt hunt = LiveRun.make("WatchCausesScenario", () -> hunt(program, hasOtherThread, "work"));

        assertThat(hunt.outcome().exitCode()).isEqualTo(FOUND);
        assertThat(hunt.outcome().out())
                .containsPattern(Pattern.compile(
                        "recv kept datagrams waiting for [0-9.,]+ (of [0-9.,]+ )?ms: it worked on a CPU"));
        assertKindOfLongest(hunt.window(), "on-cpu");
    }

    private record Hunt(NaklabOutcome outcome, Path window) {}

    private Hunt hunt(Path program, String command) throws IOException {
        return hunt(program, false, command);
    }

    private Hunt hunt(Path program, boolean hasOtherThread, String command) throws IOException {
        Path window = Files.createTempDirectory(directory, "hunt").resolve("window");
        try (StallingReceiver receiver = StallingReceiver.start(program)) {
            if (hasOtherThread) {
                receiver.command("more");
            }
            String pid = String.valueOf(receiver.pid());
            return new Hunt(watchUntilRecorded(receiver, () -> receiver.command(command), window, pid), window);
        }
    }

    @Test
    void shouldTellThatASignalHadStoppedTheProcess() throws Exception {
        Path hunt = directory.resolve("hunt");
        try (StallingReceiver receiver = StallingReceiver.start(StallingReceiver.compile(directory, "stalling"))) {
            NaklabOutcome outcome = watchUntilRecorded(
                    receiver, () -> stopUntilDropped(receiver.pid()), hunt, String.valueOf(receiver.pid()));

            assertThat(outcome.exitCode()).isEqualTo(FOUND);
            assertThat(outcome.out())
                    .contains("a signal had stopped the process")
                    .contains("process-paused");
        }
        assertKindOfLongest(hunt, "stopped");
    }

    @ParameterizedTest
    @CsvSource({"/sys/fs/cgroup/freezer, freezer.state, FROZEN, THAWED", "/sys/fs/cgroup/unified, cgroup.freeze, 1, 0"})
    void shouldTellThatTheCgroupWasFrozen(String parent, String file, String frozen, String thawed) throws Exception {
        assumeTrue(Files.isWritable(Path.of(parent)), "needs root and a freezer");
        Path hunt = directory.resolve("hunt");
        Path group = Path.of(parent, "naklab-" + ProcessHandle.current().pid());
        try (StallingReceiver receiver = StallingReceiver.start(StallingReceiver.compile(directory, "stalling"))) {
            String pid = String.valueOf(receiver.pid());
            String freeze = "mkdir " + group + " && echo " + pid + " > " + group + "/cgroup.procs && echo " + frozen
                    + " > " + group.resolve(file) + "; sleep 0.4; echo " + thawed + " > " + group.resolve(file);
            NaklabOutcome outcome = watchUntilRecorded(receiver, () -> shell(freeze), hunt, pid);

            assertThat(outcome.exitCode()).isEqualTo(FOUND);
            assertThat(outcome.out()).contains("its cgroup was frozen");
        } finally {
            shell("rmdir " + group);
        }
        assertKindOfLongest(hunt, "frozen");
    }

    @Test
    void shouldFindTheProcessByItsNameAndGoOnWithTheNext() throws Exception {
        Path program = StallingReceiver.compile(directory, "named-receiver");
        try (NaklabProcess watch = command("watch", "--name", "named-rec[e]iver")) {
            watch.await("waiting", () -> watch.out().contains("waiting for a process"));
            long first;
            try (StallingReceiver receiver = StallingReceiver.start(program)) {
                first = receiver.pid();
                watch.await("the first", () -> watch.out().contains("watching process " + first));
            }
            watch.await("its end", () -> watch.out().contains("has ended; waiting for the next"));
            try (StallingReceiver receiver = StallingReceiver.start(program)) {
                watch.await("the second", () -> watch.out().contains("watching process " + receiver.pid()));
                watch.signal("INT", watch.handle());
                watch.awaitExit();
                assertThat(watch.out()).contains("process " + first).contains("sockets:");
            }
        }
    }

    @Test
    void shouldRunTheCommandForEachWindow() throws Exception {
        Path hunt = directory.resolve("hunt");
        Path hooked = directory.resolve("hooked");
        try (StallingReceiver receiver = StallingReceiver.start(StallingReceiver.compile(directory, "stalling"))) {
            NaklabOutcome outcome = watchUntilRecorded(
                    receiver,
                    () -> receiver.command("lock"),
                    hunt,
                    String.valueOf(receiver.pid()),
                    "--exec",
                    "echo \"$NAKLAB_PID $NAKLAB_WINDOW $NAKLAB_CAUSE\" > " + hooked);

            assertThat(outcome.exitCode()).isEqualTo(FOUND);
            assertThat(Files.readString(hooked))
                    .startsWith(receiver.pid() + " " + hunt)
                    .contains(Json.parse(Files.readAllBytes(hunt.resolve("diagnosis.json")))
                            .path("cause")
                            .asText());
        }
    }

    private interface Stalling {
        void stall() throws IOException;
    }

    private NaklabOutcome watchUntilRecorded(
            StallingReceiver receiver, Stalling stalling, Path hunt, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("watch"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--record", hunt.toString(), "--windows", "1"));
        assertThat(receiver.pid()).isPositive();
        try (NaklabProcess watch = command(all.toArray(String[]::new))) {
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + hunt));
            stalling.stall();
            return watch.outcome();
        }
    }

    private NaklabProcess command(String... arguments) throws IOException {
        return NaklabProcess.command(Files.createTempDirectory(directory, "naklab"), arguments);
    }

    /** Its socket is full long before it goes on. */
    private static void stopUntilDropped(long pid) throws IOException {
        shell("kill -STOP " + pid + "; sleep 0.4; kill -CONT " + pid);
    }

    private static void shell(String command) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", command).inheritIO().start();
        assertThat(shell.onExit().join().exitValue()).isZero();
    }

    /** Returns the longest part of its account. */
    private static JsonNode assertKindOfLongest(Path hunt, String kind) throws IOException {
        JsonNode run = Json.parse(Files.readAllBytes(hunt.resolve("run.json")));
        JsonNode longest = null;
        for (JsonNode stall : run.path("stalls")) {
            if (longest == null
                    || stall.path("durationMs").asDouble()
                            > longest.path("durationMs").asDouble()) {
                longest = stall;
            }
        }
        assertThat(longest).isNotNull();
        assertThat(longest.at("/account/0/kind").asText()).isEqualTo(kind);
        assertThat(longest.path("durationMs").asDouble()).isGreaterThan(250);
        assertThat(run.path("scenario").asText()).isEqualTo("watch");
        return longest.at("/account/0");
    }

    private void assertReport(Path hunt) throws IOException {
        try (NaklabProcess report = command("report", hunt.toString())) {
            assertThat(report.outcome().exitCode()).isZero();
        }
        assertThat(Files.readString(hunt.resolve("report.html")))
                .contains("recv received nothing for")
                .contains("Socket depth")
                .containsPattern("process [0-9]+ lost [0-9,]+ datagrams?")
                .doesNotContain("final report")
                .doesNotContain("Predictions of the scenario")
                .doesNotContain("data-absent=\"blocked\"");
    }
}
