package org.naklab.lab.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.LabException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class LineProcessTest {
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

    /** Whatever the listener throws, its thread comes to its end: what dies of an exception ends the whole lab. */
    @ParameterizedTest
    @ValueSource(strings = {"refused", "damaged"})
    void shouldKillAProgramWhoseLineIsRefused(String line) {
        Recorded recorded = new Recorded(new CountDownLatch(0));
        LineProcess program = LineProcess.start(
                "lines", new ProcessBuilder("sh", "-c", "echo a; echo " + line + "; exec sleep 1000"), recorded);
        program.awaitReader(60_000);
        assertThat(recorded.seen()).containsExactly("a", "broken: no such line", "END");
        assertThat(program.endsWithin(60_000)).isTrue();
        assertThat(program.endedHow()).isEqualTo("killed by signal 9");
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
            if (line.equals("refused")) {
                throw new LabException("no such line");
            }
            if (line.equals("damaged")) {
                throw new IllegalStateException("no such line");
            }
            seen.add(line);
        }

        @Override
        public void onBroken(Exception reason) {
            seen.add("broken: " + reason.getMessage());
        }

        @Override
        public void onEnd() {
            seen.add("END");
        }
    }

    @Test
    void shouldNameTheProgramThatCannotBeStarted() {
        assertThatThrownBy(() -> LineProcess.start(
                        "tool", new ProcessBuilder("/nonexistent/program"), new Recorded(new CountDownLatch(0))))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot start process tool: ");
    }
}
