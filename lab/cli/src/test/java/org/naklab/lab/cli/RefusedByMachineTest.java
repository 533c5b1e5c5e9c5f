package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.naklab.testing.host.Installed;

/** What a command answers, as a process of its own, where its engine or its user cannot do what it asks: one line, and a code that is no verdict. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class RefusedByMachineTest {
    @TempDir
    private Path directory;

    /** A client of Docker that is a script. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo 'Error: No such container: nosuch' >&2; exit 1 | 66 | there is no container nosuch; 'docker ps' lists those that run
            echo 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.' >&2; exit 1 | 69 | cannot inspect container nosuch: Cannot connect to the Docker daemon
            """)
    void shouldSayWhyThereIsNoSuchContainer(String script, int exitCode, String expected) throws IOException {
        Path client = Files.writeString(directory.resolve("docker"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertRefused(inject(), exitCode, expected);
    }

    @Test
    void shouldSayThatThereIsNoClientOfDocker() throws IOException {
        assertRefused(inject(), 69, "cannot inspect container nosuch: cannot start docker: No such file or directory");
    }

    private NaklabOutcome inject() {
        return outcome(List.of("env", "PATH=" + directory), "inject", "nosuch", "network-loss:percent=1");
    }

    /** The first process of a machine is of root, with all privileges. */
    @Test
    void shouldSayThatThisUserMayNotWatchAProcess() {
        assertRefused(outcome(withoutRights(), "watch", "1", "--duration", "1"), 69, "permission denied");
    }

    @Test
    void shouldSayThatNothingCanBeCaptured() {
        Path runs = directory.resolve("runs");
        String[] run = {"run", "baseline", "--capture", "--runs", runs.toString()};
        assertRefused(
                outcome(List.of("env", "PATH=" + directory), run),
                69,
                "--capture is not possible here: dumpcap cannot be started: No such file or directory;");
    }

    @Test
    void shouldSayThatThisUserMayNotCapture() {
        Installed.assume("dumpcap");
        Path runs = directory.resolve("runs");
        assertRefused(
                outcome(withoutRights(), "run", "baseline", "--capture", "--runs", runs.toString()),
                69,
                "--capture is not possible here: dumpcap ");
    }

    private static List<String> withoutRights() {
        List<String> without = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            assumeThat(Files.isExecutable(Path.of("/usr/bin/setpriv")))
                    .as("setpriv")
                    .isTrue();
            without.addAll(List.of("setpriv", "--bounding-set", "-all", "--inh-caps", "-all"));
        }
        return without;
    }

    private NaklabOutcome outcome(List<String> prefix, String... arguments) {
        try (NaklabProcess naklab = NaklabProcess.command(prefix, directory, arguments)) {
            return naklab.outcome();
        }
    }

    private static void assertRefused(NaklabOutcome outcome, int exitCode, String expected) {
        assertThat(outcome.err().lines())
                .as(outcome.err())
                .singleElement()
                .asString()
                .startsWith("naklab: ")
                .contains(expected);
        assertThat(outcome.err()).doesNotContain("Exception", "java.");
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(exitCode);
        assertThat(outcome.out()).isEmpty();
    }
}
