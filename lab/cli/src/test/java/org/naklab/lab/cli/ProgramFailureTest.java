package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.terminal.Terminal;

/** Whatever a command throws, it is one line and no verdict. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ProgramFailureTest {
    @ParameterizedTest
    @MethodSource("failures")
    void shouldEndWithSeventyAndOneLine(Throwable failure) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream failing = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                ProgramFailureTest.<RuntimeException>rethrow(failure);
            }

            @Override
            public void print(String text) {
                ProgramFailureTest.<RuntimeException>rethrow(failure);
            }

            @Override
            public PrintStream printf(java.util.Locale locale, String format, Object... arguments) {
                ProgramFailureTest.<RuntimeException>rethrow(failure);
                return this;
            }
        };
        Terminal terminal = Terminal.of(failing, new PrintStream(err, true, StandardCharsets.UTF_8));
        int code = Naklab.execute(terminal, "list");
        List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(code).as(lines.toString()).isEqualTo(70);
        assertThat(lines).singleElement().asString().startsWith("naklab: internal error");
    }

    private static Stream<Throwable> failures() {
        return Stream.of(
                new OutOfMemoryError("Java heap space"),
                new StackOverflowError(),
                new ExceptionInInitializerError(new IllegalStateException("of a static initialiser\nof two lines")),
                new NoClassDefFoundError("org/naklab/Absent"),
                new InternalError("a fault occurred in an unsafe memory access operation"),
                new IllegalStateException());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }
}
