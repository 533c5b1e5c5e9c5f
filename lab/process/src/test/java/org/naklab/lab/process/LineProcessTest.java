package org.naklab.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LineProcessTest {
    private final LineProcess.Answers answers = new LineProcess.Answers();

    @Test
    void shouldSendLinesAndReceiveThem() {
        try (LineProcess echo = start("while read line; do echo \"got $line\"; done")) {
            assertThat(echo.send("one")).isTrue();
            assertThat(answers.next()).isEqualTo("got one");
            assertThat(echo.send("zwei ä")).isTrue();
            assertThat(answers.next()).isEqualTo("got zwei ä");
            assertThat(echo.isAlive()).isTrue();
            assertThat(echo.endedHow()).isEqualTo("not at all");
        }
    }

    /** A program that clears up must be given the time; its end must not depend on a signal. */
    @Test
    void shouldEndTheProgramByTheEndOfItsInput() {
        LineProcess program =
                start("trap 'echo killed; exit 9' TERM; while read line; do :; done; echo cleared; exit 3");
        program.close();
        assertThat(answers.next()).isEqualTo("cleared");
        assertThat(program.exitCode()).hasValue(3);
        assertThat(program.endedHow()).isEqualTo("exit code 3");
        assertThatThrownBy(answers::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ended instead of an answer");
    }

    @Test
    void shouldEndAProgramThatIgnoresTheEndOfItsInputAndSigterm() {
        LineProcess program = start("trap '' TERM; echo up; while :; do sleep 1; done");
        assertThat(answers.next()).isEqualTo("up");
        Thread.currentThread().interrupt();
        program.close();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(program.isAlive()).isFalse();
        assertThat(program.endedHow()).isEqualTo("killed by signal 9");
        assertThat(program.exitCode()).isEmpty();
    }

    @Test
    void shouldTellThatAProgramTakesNoMoreLines() {
        LineProcess program = start("exit 0");
        assertThatThrownBy(answers::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(answers::next).as("the next one too").isInstanceOf(IllegalStateException.class);
        program.close();
        assertThat(program.send("too late")).isFalse();
    }

    /** A listener that is slow has seen every line when the process is closed; the end comes last and once. */
    @Test
    void shouldCloseOnlyAfterTheListenerHasSeenTheEnd() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Recorded recorded = new Recorded(gate);
        LineProcess program = LineProcess.start("lines", new ProcessBuilder("sh", "-c", "echo a; echo b"), recorded);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(program::close);
        assertThatThrownBy(() -> closing.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        gate.countDown();
        closing.get();
        assertThat(recorded.seen()).containsExactly("a", "b", "END");
    }

    private record Recorded(CountDownLatch gate, List<String> seen) implements LineProcess.Listener {
        Recorded(CountDownLatch gate) {
            this(gate, new CopyOnWriteArrayList<>());
        }

        @Override
        public void onLine(String line) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            seen.add(line);
        }

        @Override
        public void onBroken(IOException reason) {
            seen.add("broken");
        }

        @Override
        public void onEnd() {
            seen.add("END");
        }
    }

    @Test
    void shouldNameTheProgramThatCannotBeStarted() {
        assertThatThrownBy(() -> LineProcess.start("tool", new ProcessBuilder("/nonexistent/program"), answers))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot start process tool: ");
    }

    private LineProcess start(String script) {
        return LineProcess.start("script", new ProcessBuilder("sh", "-c", script), answers);
    }
}
