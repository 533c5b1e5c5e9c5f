package org.naklab.lab.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.core.LabException;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AskedProcessTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(50);

    @Test
    void shouldSendLinesAndReceiveThem() {
        try (AskedProcess echo = start("while read line; do echo \"got $line\"; done")) {
            echo.send("one");
            assertThat(echo.next()).isEqualTo("got one");
            echo.send("zwei ä");
            assertThat(echo.next()).isEqualTo("got zwei ä");
            assertThat(echo.poll()).isEmpty();
            assertThat(echo.endedHow()).isEqualTo("not at all");
        }
    }

    /** A program that clears up must be given the time; its end must not depend on a signal. */
    @Test
    void shouldEndTheProgramByTheEndOfItsInput() {
        AskedProcess program =
                start("trap 'echo killed; exit 9' TERM; while read line; do :; done; echo cleared; exit 3");
        program.close();
        assertThat(program.next()).isEqualTo("cleared");
        assertThat(program.exitCode()).isEqualTo(3);
        assertThatThrownBy(program::next)
                .isInstanceOf(LabException.class)
                .hasMessage("script ended instead of an answer (exit code 3); its last line: cleared");
        assertThatThrownBy(program::next).as("the next one too").isInstanceOf(LabException.class);
    }

    @Test
    void shouldEndAProgramThatIgnoresTheEndOfItsInputAndSigterm() {
        AskedProcess program = start("trap '' TERM; echo up; while :; do sleep 1; done");
        assertThat(program.next()).isEqualTo("up");
        Thread.currentThread().interrupt();
        program.close();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(program.endedHow()).isEqualTo("killed by signal 9");
        assertThat(program.exitCode()).isEqualTo(-1);
    }

    /** No wait is without a bound: a program that is stuck is named. */
    @Test
    void shouldNotWaitForeverForAProgramThatIsStuck() {
        try (AskedProcess program = start("echo up; read line")) {
            assertThat(program.next()).isEqualTo("up");
            assertThatThrownBy(() -> program.next(TimeUnit.SECONDS.toNanos(1)))
                    .isInstanceOf(LabException.class)
                    .hasMessage("script runs, but has not answered for 1 s; its last line: up");
        }
    }

    @Test
    void shouldKeepLinesThatAreNotTaken() throws Exception {
        try (AskedProcess program = start("echo a; echo b1; echo b2; read line")) {
            assertThat(program.awaitLine(line -> line.startsWith("b2"), LONG_NS))
                    .contains("b2");
            assertThat(program.lines()).containsExactly("a", "b1", "b2");
            assertThat(program.poll()).contains("a");
            program.endInput();
            assertThat(program.finish(LONG_NS)).isTrue();
            assertThat(program.awaitLine("c"::equals, LONG_NS)).isEmpty();
            assertThat(program.lines()).containsExactly("b1", "b2");
        }
    }

    @Test
    void shouldEndAProgramThatDoesNotEndInTime() throws Exception {
        AskedProcess program = start("trap '' TERM; echo up; read line; echo over");
        assertThat(program.next()).isEqualTo("up");
        assertThat(program.finish(0)).isFalse();
        assertThat(program.lines()).containsExactly("over");
    }

    private static AskedProcess start(String script) {
        return AskedProcess.start("script", new ProcessBuilder("sh", "-c", script));
    }
}
