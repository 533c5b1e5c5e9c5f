package org.naklab.lab.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.core.Cancellation;
import org.naklab.lab.scenarios.Claim;
import org.naklab.lab.scenarios.Expectation;
import org.naklab.lab.scenarios.RunOutcome;
import org.naklab.lab.scenarios.RunPlan;
import org.naklab.lab.scenarios.Verdict;
import org.naklab.lab.scenarios.record.RunResult;
import org.naklab.lab.terminal.Terminal;
import org.naklab.testing.host.FreePorts;
import picocli.CommandLine;

/** {@code naklab run} in continuous integration: what it prints and writes of runs that a stub makes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CiRunTest {
    /** The only claim of the stub. */
    private enum Stubbed implements Claim {
        HELD;

        @Override
        public String template() {
            return "the stub held";
        }
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @Test
    void shouldPrintOneLineForEachRunIfItIsToBeQuiet() throws Exception {
        assertThat(run(Verdict.PASS, "--quiet")).isZero();
        assertThat(text(out))
                .startsWith("baseline  PASS  seed 42  remedy none: ")
                .hasLineCount(1);
        assertThat(text(err).lines()).allMatch(line -> line.startsWith("::"));
        out.reset();
        assertThat(run(Verdict.FAIL, "-q", "--repeat", "2")).isEqualTo(1);
        assertThat(text(out).lines().map(line -> line.replaceAll(" remedy.*", "")))
                .containsExactly("baseline  FAIL  seed 42 ", "baseline  FAIL  seed 43 ");
    }

    @Test
    void shouldPrintTheSummaryOtherwise() throws Exception {
        assertThat(run(Verdict.PASS)).isZero();
        assertThat(text(out).lines().count()).isGreaterThan(1);
    }

    @Test
    void shouldWriteTheFileOfJunit() throws Exception {
        Path file = directory.resolve("naklab.xml");
        assertThat(run(Verdict.FAIL, "--quiet", "--repeat", "2", "--junit", file.toString()))
                .isEqualTo(1);
        assertThat(Files.readString(file))
                .contains("<testsuite name=\"baseline, remedy none, seed 42\" tests=\"1\" failures=\"1\"")
                .contains("<testsuite name=\"baseline, remedy none, seed 43\" tests=\"1\" failures=\"1\"");
    }

    @Test
    void shouldPrintAnnotations() throws Exception {
        assertThat(run(Verdict.FAIL, "--quiet", "--annotations")).isEqualTo(1);
        assertThat(text(err))
                .startsWith("::error title=baseline%2C remedy none%2C seed 42::fail")
                .hasLineCount(1);
    }

    @Test
    void shouldGiveBackThePortsOfRunsThatHaveEnded() throws Exception {
        String port = String.valueOf(FreePorts.pair());
        assertThat(run(Verdict.PASS, "--port", port)).isZero();
        assertThat(run(Verdict.FAIL, "--port", port)).as(text(err)).isEqualTo(1);
    }

    private int run(Verdict verdict, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("baseline", "--runs", directory.resolve("runs").toString()));
        arguments.addAll(List.of(options));
        RunCommand command = new RunCommand(Terminal.of(stream(out), stream(err)));
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments.toArray(String[]::new));
        return command.releasing(() -> command.run(
                command.check(),
                (scenario, plan, listener) -> {
                    RunResult result = result(plan, verdict);
                    listener.onFinished(result);
                    return result;
                },
                new Cancellation()));
    }

    private static RunResult result(RunPlan plan, Verdict verdict) {
        RunOutcome outcome = EmptyOutcome.of(plan);
        return new RunResult(
                outcome, List.of(new Expectation(Stubbed.HELD, "", verdict, "a stub")), verdict, List.of());
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
