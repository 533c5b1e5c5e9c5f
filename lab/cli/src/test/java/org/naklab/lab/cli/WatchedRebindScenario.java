package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.testing.Matrix;
import org.naklab.testing.host.FreePorts;
import org.naklab.testing.host.Installed;

/** A whole watch keeps no socket of a program from being closed: ports are free at once, and all datagrams reach the program. */
@Matrix
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class WatchedRebindScenario {
    private static final List<String> COMMANDS = List.of("rebind 100", "reuse 100", "pass 100", "many 900");
    private static final List<String> UNDISTURBED = List.of(
            "ready, refused 0",
            "rebind: refused 0, received 100",
            "reuse: refused 0, received 100",
            "pass: refused 0, received 100",
            "many: refused 0, received 0");
    private static final int RESTARTS = 5;

    @TempDir
    private Path directory;

    private Path program;
    private int port;

    @BeforeEach
    void compile() throws Exception {
        Installed.assume("cc");
        program = StallingReceiver.compile(directory, "rebinding", "rebinding-receiver.c");
        port = FreePorts.pair();
    }

    /** The program, which answers to what it is told. */
    private final class Receiver implements AutoCloseable {
        private final Process process = new ProcessBuilder(program.toString(), String.valueOf(port))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        private final BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
        private final PrintStream in = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        private final List<String> answers = new ArrayList<>();

        Receiver() throws IOException {
            answers.add(out.readLine());
        }

        void obey(List<String> commands) throws IOException {
            for (String command : commands) {
                in.println(command);
                answers.add(out.readLine());
            }
        }

        NaklabProcess watched() throws IOException {
            NaklabProcess watch = NaklabProcess.command(
                    Files.createTempDirectory(directory, "watch"), "watch", String.valueOf(process.pid()));
            watch.await("the watch", () -> watch.out().contains("watching process"));
            return watch;
        }

        void kill() {
            process.destroyForcibly().onExit().join();
        }

        @Override
        public void close() {
            kill();
        }
    }

    @Test
    void shouldDisturbNeitherBindsNorDatagrams() throws IOException {
        try (Receiver alone = new Receiver()) {
            alone.obey(COMMANDS);
            assertThat(alone.answers).as("without a watch").isEqualTo(UNDISTURBED);
        }
        try (Receiver receiver = new Receiver();
                NaklabProcess watch = receiver.watched()) {
            receiver.obey(COMMANDS);
            receiver.kill();
            int ignored = watch.awaitExit();

            assertThat(receiver.answers).as("with a watch").isEqualTo(UNDISTURBED);
            assertThat(watch.out())
                    .as("what the program passes on goes to another process, and nothing to the watch")
                    .contains("sockets:")
                    .doesNotContainPattern("went to a socket of (java|naklab)");
        }
    }

    /** The successor of a process that was killed binds its port while the watch of the process still ends. */
    @Test
    void shouldLeaveThePortToAProcessThatIsStartedAgain() throws IOException {
        for (int restart = 0; restart < RESTARTS; restart++) {
            try (Receiver first = new Receiver();
                    NaklabProcess watch = first.watched()) {
                first.kill();
                try (Receiver second = new Receiver()) {
                    second.obey(List.of("rebind 3"));
                    assertThat(second.answers).containsExactly("ready, refused 0", "rebind: refused 0, received 3");
                }
                assertThat(watch.out() + watch.err()).doesNotContain("Exception");
            }
        }
    }
}
