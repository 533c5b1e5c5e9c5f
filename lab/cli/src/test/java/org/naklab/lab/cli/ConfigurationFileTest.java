package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine;

final class ConfigurationFileTest {
    @TempDir
    private Path directory;

    private CommandLine configured(String... lines) throws IOException {
        Path file = Files.write(directory.resolve("naklab.properties"), List.of(lines));
        Terminal terminal = Terminal.of(System.out, System.err);
        CommandLine root = Naklab.line(terminal);
        ConfigurationFile.apply(file, root);
        return root;
    }

    private static Object valueOf(CommandLine root, String option, String command, String... arguments) {
        root.parseArgs(arguments);
        return Objects.requireNonNull(root.getSubcommands().get(command), command)
                .getCommandSpec()
                .findOption(option)
                .getValue();
    }

    @Test
    void shouldGiveADefaultToEveryCommand() throws IOException {
        CommandLine root = configured("runs=/data/runs", "history=jdbc:sqlite:/data/history.db");

        assertThat(valueOf(root, "--runs", "prune", "prune", "--keep", "5")).isEqualTo(Path.of("/data/runs"));
        assertThat(valueOf(root, "--runs", "open", "open", "mystery")).isEqualTo(Path.of("/data/runs"));
        assertThat(valueOf(root, "--history", "history", "history")).isEqualTo("jdbc:sqlite:/data/history.db");
    }

    @Test
    void shouldPreferTheCommandLineAndThenTheLineOfTheCommand() throws IOException {
        CommandLine root = configured("runs=/data/runs", "open.runs=/data/others");

        assertThat(valueOf(root, "--runs", "open", "open", "mystery")).isEqualTo(Path.of("/data/others"));
        assertThat(valueOf(root, "--runs", "open", "open", "mystery", "--runs", "/mine"))
                .isEqualTo(Path.of("/mine"));
    }

    /** It is an option of all commands, which none of them keeps for itself. */
    @ParameterizedTest
    @ValueSource(strings = {"list", "run baseline"})
    void shouldChooseTheColoursOfEveryCommand(String command) throws IOException {
        String[] words = command.split(" ", -1);
        for (String when : List.of("never", "always")) {
            Terminal terminal = Terminal.of(System.out, System.err);
            CommandLine root = Naklab.line(terminal);
            Path file = Files.writeString(directory.resolve("naklab.properties"), "color=" + when);
            ConfigurationFile.apply(file, root);

            root.setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words);

            assertThat(terminal.styled(System.out, "@|bold word|@").contains("\u001b"))
                    .as("color=%s", when)
                    .isEqualTo(when.equals("always"));
        }
    }

    /** Before any command is known: as wrong usage, in one line. */
    @Test
    void shouldEndTheProgramAsWrongUsage() throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = Terminal.of(System.out, new PrintStream(err, true, StandardCharsets.UTF_8));
        Path file = Files.writeString(directory.resolve("naklab.properties"), "colours=never");

        assertThat(Naklab.execute(terminal, file, "list")).isEqualTo(64);
        assertThat(Naklab.execute(terminal, directory.resolve("none"), "list")).isEqualTo(64);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("naklab: ") && !line.contains("Exception"));
    }

    @Test
    void shouldRefuseAnOptionThatThereIsNot() {
        assertThatThrownBy(() -> configured("rnus=/data/runs"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("naklab.properties: no option is named 'rnus'");
    }

    @Test
    void shouldFindTheFileOfTheUser() throws IOException {
        Path file = directory.resolve(".config/naklab/naklab.properties");
        Files.createDirectories(file.getParent());
        Files.createFile(file);

        assertThat(ConfigurationFile.find(Map.of(), directory)).isEqualTo(file);
        assertThat(ConfigurationFile.find(Map.of("NAKLAB_CONFIG", "/other"), directory))
                .isEqualTo(Path.of("/other"));
        assertThat(ConfigurationFile.find(Map.of("XDG_CONFIG_HOME", directory + "/.config"), Path.of("/none")))
                .isEqualTo(file);
    }

    @Test
    void shouldWriteAManualPageOfAllCommands() {
        Terminal terminal = Terminal.of(System.out, System.err);
        CommandLine root = Naklab.line(terminal);

        String page = ManPage.of(root, "1.0");

        assertThat(page).startsWith(".TH NAKLAB 1");
        assertThat(root.getSubcommands().keySet())
                .allSatisfy(command -> assertThat(page).contains(".SH \"naklab " + command + '"'));
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|TP|I|nf|fi)( .*)?"));
    }
}
