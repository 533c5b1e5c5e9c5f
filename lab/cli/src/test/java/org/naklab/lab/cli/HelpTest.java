package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine.Model.CommandSpec;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HelpTest {
    private static final int COLUMNS = 80;

    @ParameterizedTest
    @MethodSource("commands")
    void shouldShowExamplesForEachCommand(String command) {
        CommandLineRun run = CommandLineRun.of((command + " --help").strip().split(" "));
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("Examples:").contains(("  naklab " + command).stripTrailing());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldFitEightyColumns(String command) {
        assertThat(CommandLineRun.of((command + " --help").strip().split(" ")).outLines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
    }

    /** A text that is cut, or broken within a word, is not found in one piece. */
    @Test
    void shouldPrintTheWholeTextOfEachOptionAndCommand() {
        for (CommandSpec command : specs()) {
            String name = command.qualifiedName().replaceFirst("^naklab ?", "");
            String help = inOneLine(
                    CommandLineRun.of((name + " --help").strip().split(" ")).out());
            List<String> texts = new ArrayList<>(
                    List.of(String.join(" ", command.usageMessage().description())));
            texts.add(String.join(" ", command.usageMessage().footer()));
            command.options().forEach(option -> texts.add(String.join(" ", option.description())));
            command.positionalParameters().forEach(each -> texts.add(String.join(" ", each.description())));
            command.subcommands()
                    .values()
                    .forEach(each ->
                            texts.add(each.getCommandSpec().usageMessage().description()[0]));
            assertThat(texts.stream().flatMap(text -> Stream.of(text.split("\\$\\{[^}]*}"))))
                    .as(command.qualifiedName())
                    .allSatisfy(part -> assertThat(help).contains(inOneLine(part.replace("%%", "%"))));
        }
    }

    private static String inOneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** The list of commands shows the first line only. */
    @Test
    void shouldBeginEachHelpWithAWholeSentence() {
        for (CommandSpec command : specs()) {
            assertThat(command.usageMessage().description()[0])
                    .as(command.qualifiedName())
                    .matches(".*[.?]");
        }
    }

    /** Lines that begin with blanks are laid out by hand; the others may be wrapped. */
    @Test
    void shouldNotWrapExamples() {
        for (CommandSpec command : specs()) {
            assertThat(command.usageMessage().footer())
                    .as(command.qualifiedName())
                    .filteredOn(line -> line.startsWith("  "))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
        }
    }

    @Test
    void shouldPrintTheHelpOfACommandThatIsNamed() {
        assertThat(CommandLineRun.of("help", "bench", "observer"))
                .isEqualTo(CommandLineRun.of("bench", "observer", "--help"));
        assertThat(CommandLineRun.of("help").out())
                .isEqualTo(CommandLineRun.of("--help").out());
    }

    @Test
    void shouldPrintTheHelpWithoutACommand() {
        CommandLineRun run = CommandLineRun.of();
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(CommandLineRun.of("--help").out());
    }

    /** Picocli formats these texts: a percent sign that is not doubled leaves the whole text as it is, with a warning. */
    @Test
    void shouldBeOfValidFormat() {
        for (CommandSpec command : specs()) {
            List<String> texts = new ArrayList<>(List.of(command.usageMessage().description()));
            texts.addAll(List.of(command.usageMessage().footer()));
            command.options().forEach(option -> texts.addAll(List.of(option.description())));
            assertThat(texts).as(command.qualifiedName()).allSatisfy(text -> assertThatCode(() -> String.format(text))
                    .doesNotThrowAnyException());
        }
    }

    @Test
    void shouldFindCommandsOfEveryLevel() {
        assertThat(commands()).contains("", "run", "history compare", "bench observer", "journal verify");
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

    /** Returns the names of all commands, without that of the program. */
    private static List<String> commands() {
        return specs().stream()
                .map(command -> command.qualifiedName().replaceFirst("^naklab ?", ""))
                .toList();
    }

    /** Returns all commands, those of the studies too, which are on the class path of the tests. */
    static List<CommandSpec> specs() {
        Terminal terminal = Terminal.of(System.out, System.err);
        List<CommandSpec> specs = new ArrayList<>();
        collect(Naklab.line(terminal).getCommandSpec(), specs);
        return specs;
    }

    private static void collect(CommandSpec command, List<CommandSpec> specs) {
        specs.add(command);
        command.subcommands().values().forEach(each -> collect(each.getCommandSpec(), specs));
    }

    /** An option is offered below its own command only. */
    @Test
    void shouldPrintFishCompletionThatKnowsTheCommands() {
        assertThat(CommandLineRun.of("completion", "fish").outLines())
                .allMatch(line -> line.startsWith("complete -c naklab -n "))
                .anyMatch(line -> line.contains("__fish_use_subcommand -f -a 'watch' -d '"))
                .anyMatch(line -> line.contains("__fish_seen_subcommand_from journal' -f -a 'verify'"))
                .anyMatch(line -> line.contains("__fish_seen_subcommand_from run' -l rate-limiting -x -a "))
                .noneMatch(line -> line.contains("__fish_use_subcommand -l rate-limiting"));
    }

    @Test
    void shouldPrintCompletionScriptThatKnowsTheCommands() {
        String script = CommandLineRun.of("completion", "bash").out();
        assertThat(script).contains("complete -F").contains("journal").contains("--rate-limiting");
    }
}
