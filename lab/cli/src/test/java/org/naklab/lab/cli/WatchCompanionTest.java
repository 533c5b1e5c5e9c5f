package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.terminal.Terminal;
import org.naklab.testing.Await;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class WatchCompanionTest {
    /** With the code of what was found, which a signal would hide. */
    @Test
    void shouldEndWithAProcessThatIsNotWatched() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Terminal terminal = Terminal.of(new PrintStream(out, true, StandardCharsets.UTF_8), System.err);
        Process companion = new ProcessBuilder("cat").start();
        String pid = Long.toString(companion.pid());
        // In a thread of its own: the JVM tells of ended processes on the common pool, which has one thread on two
        // processors.
        CompletableFuture<Integer> watch = CompletableFuture.supplyAsync(
                () -> Naklab.execute(terminal, "watch", "--plain", "--name", "no-such-process", "--while", pid),
                task -> new Thread(task, "watch").start());
        Await.until(() -> out.toString(StandardCharsets.UTF_8).contains("waiting for a process that matches"));
        assertThat(watch).isNotDone();

        companion.getOutputStream().close();

        assertThat(watch.get()).isEqualTo(2);
        assertThat(companion.waitFor()).isZero();
    }
}
