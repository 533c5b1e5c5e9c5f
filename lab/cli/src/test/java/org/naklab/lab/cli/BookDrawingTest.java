package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class BookDrawingTest {
    private static final String FLOW = """
            34200.5,1,1,100,5850000,1
            34200.6,1,2,50,5849900,1
            34200.7,1,3,200,5851000,-1
            34201.25,1,4,10,5852000,-1
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldDrawTheBestPricesInTheMiddle() throws IOException {
        CommandLineRun run = draw(FLOW);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.outLines().stream().map(String::strip))
                .containsExactly(
                        "the book after 4 events, at 09:30:01.250",
                        "price  shares",
                        "ask  585.20      10  ██",
                        "ask  585.10     200  " + "█".repeat(40),
                        "spread 0.10",
                        "bid  585.00     100  " + "█".repeat(20),
                        "bid  584.99      50  " + "█".repeat(10));
    }

    @Test
    void shouldDrawTheBookAfterAnEvent() throws IOException {
        assertThat(draw(FLOW, "--event", "1").outLines().stream().map(String::strip))
                .containsExactly(
                        "the book after 1 event, at 09:30:00.500",
                        "price  shares",
                        "bid  585.00     100  " + "█".repeat(40));
        assertThat(draw("34200.5,1,1,100,5850000,1\n34200.6,3,1,100,5850000,1\n")
                        .out())
                .contains("it is empty");
        assertThat(draw(FLOW, "--levels", "1").out()).doesNotContain("585.20", "584.99");
    }

    private CommandLineRun draw(String flow, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("flow.csv"), flow);
        String[] arguments = new String[options.length + 3];
        arguments[0] = "books";
        arguments[1] = file.toString();
        arguments[2] = "--draw";
        System.arraycopy(options, 0, arguments, 3, options.length);
        return CommandLineRun.of(arguments);
    }
}
