package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "list",
                "doctor",
                "books",
                "journal",
                "journal verify",
                "journal dump",
                "journal export",
                "watch",
                "serve",
                "bench",
                "bench observer",
                "completion"
            })
    void shouldShowExamplesForEachCommand(String command) {
        CommandLineRun run = CommandLineRun.of((command + " --help").strip().split(" "));
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Examples:").contains("  naklab " + command);
    }

    @Test
    void shouldTellVersion() {
        CommandLineRun run = CommandLineRun.of("--version");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("naklab ").contains("JDK " + Runtime.version());
    }

    @Test
    void shouldListScenarios() {
        assertThat(CommandLineRun.of("list").outLines()).anyMatch(line -> line.startsWith("baseline  "));
        assertThat(CommandLineRun.of("list", "--json").out()).contains("\"name\" : \"baseline\"");
    }

    @Test
    void shouldPrintCompletionScriptThatKnowsTheCommands() {
        String script = CommandLineRun.of("completion", "bash").out();
        assertThat(script).contains("complete -F").contains("journal").contains("--rate-limiting");
    }
}
