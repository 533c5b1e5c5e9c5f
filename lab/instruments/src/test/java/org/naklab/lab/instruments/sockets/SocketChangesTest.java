package org.naklab.lab.instruments.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shell's sockets: it opens and closes just what it is told to. */
@Timeout(60)
class SocketChangesTest {
    private static final String OPEN = "exec 7<>/dev/udp/127.0.0.1/9";

    private Process shell;
    private PrintStream in;
    private BufferedReader out;
    private SocketSource source;
    private SocketChanges changes;

    @BeforeEach
    void start() throws IOException {
        shell = new ProcessBuilder("bash").redirectErrorStream(true).start();
        in = new PrintStream(shell.getOutputStream(), true, StandardCharsets.US_ASCII);
        out = shell.inputReader(StandardCharsets.US_ASCII);
        obey(OPEN);
        assumeThat(Files.size(Path.of("/proc", Long.toString(shell.pid()), "fd")))
                .as("the kernel, from 6.2 on, tells how many descriptors a process has")
                .isPositive();
        source = SocketSources.PIDFD.open(shell.pid());
        changes = new SocketChanges(shell.pid());
    }

    @AfterEach
    void stop() throws InterruptedException {
        shell.destroyForcibly().waitFor();
        if (source != null) {
            source.close();
            changes.close();
        }
    }

    @Test
    void shouldSeeNothingWhereNothingHappens() {
        assertThat(mayHaveHappened()).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(mayHaveHappened()).isFalse();
        }
    }

    @Test
    void shouldSeeWhatOpensAndCloses() throws IOException {
        mayHaveHappened();
        obey("exec 8<>/dev/udp/127.0.0.1/9");
        assertThat(mayHaveHappened()).isTrue();
        assertThat(mayHaveHappened()).isFalse();

        obey("exec 8>&-");
        assertThat(mayHaveHappened()).isTrue();
        assertThat(mayHaveHappened()).isFalse();
    }

    @Test
    void shouldSeeThatADescriptorHasBecomeAnotherFile() throws IOException {
        mayHaveHappened();
        obey("exec 7</dev/null");
        source.sample();
        assertThat(mayHaveHappened()).isTrue();
    }

    @Test
    void shouldNotTrustItsEyesForEver() {
        mayHaveHappened();
        int unseen = 0;
        while (!mayHaveHappened()) {
            unseen++;
        }
        assertThat(unseen).isPositive();
    }

    @Test
    void shouldSeeThatTheProcessIsGone() throws InterruptedException {
        mayHaveHappened();
        shell.destroyForcibly().waitFor();
        assertThat(mayHaveHappened()).isTrue();
    }

    private boolean mayHaveHappened() {
        return changes.mayHaveHappened(source.sockets());
    }

    private void obey(String command) throws IOException {
        in.println(command + "; echo done");
        assertThat(out.readLine()).isEqualTo("done");
    }
}
