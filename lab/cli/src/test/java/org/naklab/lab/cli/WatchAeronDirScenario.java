package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.naklab.testing.Live;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;

/** {@code naklab watch --aeron-dir} on a driver and a client of their own: the summary says which of the two stood still, and why. */
@Live(runs = 1)
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class WatchAeronDirScenario {
    private static final int FOUND = 3;
    private static final int UNKNOWN = 2;
    private static final int STOP_MS = 300;
    /** Beside the stall of the test there may be shorter ones: for want of a CPU. */
    private static final String STOOD_STILL = " stood still (once|[0-9]+ times), for [0-9.]+ ms( at most)?: ";

    @TempDir
    private Path directory;

    @Test
    @Matrix
    void shouldNameTheClientThatDidNotPoll() throws Exception {
        try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair());
                NaklabProcess watch = watch(program)) {
            program.stopPolling(STOP_MS);
            String out = outUntil(watch, "stall ", program.clientPid() + "/client-poll");

            assertThat(out)
                    .containsPattern("the poll of client " + program.clientPid() + STOOD_STILL + "blocking-call")
                    .doesNotContainPattern("the driver's .*: (blocking-call|process-paused)")
                    .containsPattern(Pattern.compile("process " + program.clientPid()
                            + " .*, client of the media driver in " + program.aeronDirectory()
                            + ":(\\R.*)*client-poll (slept|waited)"))
                    .containsPattern("aeron:udp.* stream 17 .*deepest .* \\(received and not polled\\), "
                            + "not polled for [0-9.]+ ms at most");
        }
    }

    @Test
    @Matrix
    void shouldNameTheDriverThatWasStopped() throws Exception {
        try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair());
                NaklabProcess watch = watch(program)) {
            shell("kill -STOP " + program.driverPid() + "; sleep 0.4; kill -CONT " + program.driverPid());
            String out = outUntil(watch, "stall ", program.driverPid() + "/receiver");

            assertThat(out)
                    .containsPattern("the driver's receiver" + STOOD_STILL + "process-paused")
                    .doesNotContainPattern("the poll of client .*: (blocking-call|process-paused)")
                    .contains("a signal had stopped the process");
        }
    }

    @Test
    @Matrix
    void shouldGoOnWithAClientAndADriverThatStartAnew() throws Exception {
        try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair());
                NaklabProcess watch = watch(program)) {
            program.restartClient();
            awaitAttached(watch, program);
            program.restart();
            awaitAttached(watch, program);
            program.stopPolling(STOP_MS);
            assertThat(outUntil(watch, "stall ", program.clientPid() + "/client-poll"))
                    .containsPattern("the poll of client " + program.clientPid() + STOOD_STILL + "blocking-call");
        }
    }

    @Test
    void shouldRecordTheClientThatStoodStill() throws Exception {
        Path hunt = directory.resolve("hunt");
        try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair());
                NaklabProcess watch = watch(program, "--record", hunt.toString(), "--windows", "1")) {
            Path window = hunt.resolve("client-" + program.clientPid());
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + window));
            program.stopPolling(STOP_MS);

            assertThat(watch.outcome().exitCode()).isEqualTo(FOUND);
            WatchDiagnosis.of(window)
                    .hasCause("blocking-call", "client-poll", "sleep")
                    .hasAccounts()
                    .isReported(directory, "Stream depth", "client-poll");
        }
    }

    @Test
    @Matrix
    void shouldRecordTheDriverThatStoodStill() throws Exception {
        Path hunt = directory.resolve("hunt");
        try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair());
                NaklabProcess watch = watch(program, "--record", hunt.toString(), "--windows", "1")) {
            Path window = hunt.resolve("driver-" + program.driverPid());
            watch.await("the recorder", () -> watch.out().contains("will be recorded in " + window));
            shell("kill -STOP " + program.driverPid() + "; sleep 0.4; kill -CONT " + program.driverPid());

            assertThat(watch.outcome().exitCode()).isEqualTo(FOUND);
            WatchDiagnosis.of(window)
                    .hasCause("process-paused", "receiver|sender", "stopped")
                    .hasAccounts()
                    .isReported(directory, "Socket depth", "received nothing for");
        }
    }

    @Test
    @Matrix
    void shouldWaitForADriver() throws Exception {
        Path aeron = directory.resolve("aeron");
        try (NaklabProcess watch = command("watch", "--aeron-dir", aeron.toString())) {
            watch.await("what it waits for", () -> watch.out()
                    .contains("waiting for a media driver: no Aeron driver in " + aeron));
            try (AeronProgram program = AeronProgram.start(directory, FreePorts.pair())) {
                awaitAttached(watch, program);
                watch.signal("INT", watch.handle());
                watch.awaitExit();
                assertThat(watch.out()).contains(", media driver in " + aeron);
            }
        }
    }

    @Test
    @Matrix
    void shouldSayThatNothingWasWatched() throws Exception {
        try (NaklabProcess watch =
                command("watch", "--aeron-dir", directory.resolve("none").toString(), "--duration", "0.1")) {
            NaklabOutcome outcome = watch.outcome();

            assertThat(outcome.exitCode()).isEqualTo(UNKNOWN);
            assertThat(outcome.out()).contains("nothing was watched: no such process has started");
        }
    }

    /** Returns when both processes are watched. */
    private NaklabProcess watch(AeronProgram program, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("watch", "--aeron-dir", program.aeronDirectory().toString()));
        arguments.addAll(List.of(options));
        NaklabProcess watch = command(arguments.toArray(String[]::new));
        awaitAttached(watch, program);
        return watch;
    }

    private static void awaitAttached(NaklabProcess watch, AeronProgram program) {
        watch.await(
                "both",
                () -> watch.out().contains("watching process " + program.driverPid() + " ")
                        && watch.out().contains("watching process " + program.clientPid() + " "));
        watch.await("the position of the subscription", () -> watch.out()
                .contains("subscription polled  process " + program.clientPid() + " "));
    }

    /** Returns the whole output of a watch that is interrupted when it has shown a line. */
    private static String outUntil(NaklabProcess watch, String beginning, String rest) {
        watch.await(
                "a line with " + beginning + " and " + rest,
                () -> watch.out().lines().anyMatch(line -> line.contains(beginning) && line.contains(rest)));
        watch.signal("INT", watch.handle());
        watch.awaitExit();
        return watch.out();
    }

    private NaklabProcess command(String... arguments) throws IOException {
        return NaklabProcess.command(Files.createTempDirectory(directory, "naklab"), arguments);
    }

    private static void shell(String command) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", command).inheritIO().start();
        assertThat(shell.onExit().join().exitValue()).isZero();
    }
}
