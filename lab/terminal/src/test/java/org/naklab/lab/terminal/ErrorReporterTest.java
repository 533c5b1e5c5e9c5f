package org.naklab.lab.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.core.InputException;
import org.naklab.lab.core.LabException;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.core.UnavailableException;
import org.naklab.lab.core.UsageException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Timeout(60)
final class ErrorReporterTest {
    enum Level {
        NONE,
        NORMAL,
        FULL
    }

    @Command(name = "lab", subcommands = Watch.class)
    static final class Lab implements Runnable {
        @Override
        public void run() {}
    }

    @Command(name = "watch")
    static final class Watch implements Runnable {
        @Option(names = "--observe")
        private Level level = Level.NORMAL;

        @Option(names = "--duration")
        private int seconds;

        @Parameters(index = "0", paramLabel = "PID", arity = "0..1")
        private long pid;

        private RuntimeException failure = new IllegalStateException();

        @Override
        public void run() {
            throw seconds < 0 || pid < 0 || level == Level.NONE ? new IllegalStateException() : failure;
        }
    }

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal =
            Terminal.of(new PrintStream(new ByteArrayOutputStream(), true, UTF_8), stream(err));
    private final ErrorReporter reporter = new ErrorReporter(
            terminal,
            Secrets.of(List.of("--password=opensesame"), Map.of()),
            Map.of(UnsupportedOperationException.class, ExitCode.UNAVAILABLE));
    private final Watch watch = new Watch();
    private final CommandLine line = new CommandLine(new Lab(), new CommandLine.IFactory() {
                @Override
                public <K> K create(Class<K> type) throws Exception {
                    return type == Watch.class
                            ? type.cast(watch)
                            : CommandLine.defaultFactory().create(type);
                }
            })
            .setParameterExceptionHandler(reporter)
            .setExecutionExceptionHandler(reporter);

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, UTF_8);
    }

    private String said() {
        return err.toString(UTF_8);
    }

    static Stream<Arguments> wrongLines() {
        return Stream.of(
                Arguments.of("wacth", "lab has no command 'wacth'; did you mean watch? (see 'lab --help')"),
                Arguments.of("watch --observ=full", "unknown option: '--observ=full'; did you mean --observe?"),
                Arguments.of("watch --nothing-like-it", "unknown option: '--nothing-like-it' (see 'lab watch --help')"),
                Arguments.of("watch --observe ful", "--observe: 'ful' is not one of its values; did you mean full?"),
                Arguments.of("watch --duration long", "--duration: 'long' is not a whole number"),
                Arguments.of("watch me", "PID: 'me' is not a whole number"),
                Arguments.of("watch 1 2", "one argument too many: '2'"));
    }

    @ParameterizedTest
    @MethodSource("wrongLines")
    void shouldSayWhatIsWrongWithALineAndWhatWasMeant(String words, String message) {
        assertThat(line.execute(words.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(said()).startsWith("naklab: " + message).hasLineCount(1);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(
                        new UsageException("--a needs --b"), ExitCode.USAGE, "--a needs --b (see 'lab watch --help')"),
                Arguments.of(new InputException("no run is named x"), ExitCode.NO_INPUT, "no run is named x"),
                Arguments.of(new UnavailableException("the port is taken"), ExitCode.UNAVAILABLE, "the port is taken"),
                Arguments.of(new LabException("no shared memory"), ExitCode.UNAVAILABLE, "no shared memory"),
                Arguments.of(new UnsupportedOperationException("no disk"), ExitCode.UNAVAILABLE, "no disk"),
                Arguments.of(
                        new UncheckedIOException(new NoSuchFileException("/a")),
                        ExitCode.UNAVAILABLE,
                        "/a: no such file or directory"),
                Arguments.of(new InputException("two\n  lines", new IOException("x")), ExitCode.NO_INPUT, "two lines"),
                Arguments.of(
                        new InputException("cannot open db?password=opensesame"),
                        ExitCode.NO_INPUT,
                        "cannot open db?password=***"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldMakeOneLineAndACodeOfAFailure(RuntimeException failure, int code, String message) {
        watch.failure = failure;
        assertThat(line.execute("watch")).isEqualTo(code);
        assertThat(said()).isEqualTo("naklab: " + message + System.lineSeparator());
    }

    /** Names and answers of others reach this line; they must not move the cursor. */
    @Test
    void shouldPrintNoControlCharacter() {
        watch.failure = new InputException("no process is named \u001b[2J");
        assertThat(line.execute("watch")).isEqualTo(ExitCode.NO_INPUT);
        assertThat(said()).doesNotContain("\u001b");
    }
}
