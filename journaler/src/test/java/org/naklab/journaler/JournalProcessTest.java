package org.naklab.journaler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Journals written by processes of their own, which end in peace or are killed. */
@Timeout(120)
class JournalProcessTest {
    private static final int EVENTS_BEFORE_KILL = 100_000;

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path temporary;

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldPrintNothingOnStandardError() throws Exception {
        Process process = start(temporary.resolve("journal"), "2000");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(temporary.resolve("stderr"))).isEmpty();
        assertThat(process.exitValue()).isZero();
        assertThat(JournalVerifier.verify(temporary.resolve("journal")).events())
                .isEqualTo(2000);
    }

    /** The signals of {@code kill -9} and of Ctrl-C. */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "INT"})
    void shouldLeaveAVerifiableJournalWhenKilled(String signal) throws Exception {
        Path journal = temporary.resolve("journal");
        Process process = start(journal);
        long reported;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            reported = readUntil(out, EVENTS_BEFORE_KILL);
            kill(process, signal);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();

        Verification verification = JournalVerifier.verify(journal);

        assertThat(verification.events()).isGreaterThanOrEqualTo(reported).isEqualTo(verification.lastSequence());
        assertThat(verification.missing()).isZero();
        assertThat(verification.duplicates()).isZero();
        assertThat(verification.reordered()).isZero();
        assertThat(verification.unreadable()).isZero();
        assertThat(verification.trailerSeen()).isFalse();
        assertThat(verification.passed()).isFalse();
        assertThat(verification.summary()).anyMatch(line -> line.startsWith("trailer      missing"));
    }

    private static long readUntil(BufferedReader out, long events) throws IOException {
        long reported = 0;
        while (reported < events) {
            String line = out.readLine();
            assertThat(line).as("the process ended after %d events", reported).isNotNull();
            reported = Long.parseLong(line);
        }
        return reported;
    }

    private static void kill(Process process, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private Process start(Path journal, String... arguments) throws IOException {
        // The background jobs of a shell ignore SIGINT, and so would their children.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + Path.of(System.getProperty("naklab.root"), "lab", "src", "main", "dist", "jvm.options"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(JournalWriterProcess.class.getName());
        command.add(journal.toString());
        Collections.addAll(command, arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(temporary.resolve("stderr").toFile())
                .start();
        processes.add(process);
        return process;
    }
}
