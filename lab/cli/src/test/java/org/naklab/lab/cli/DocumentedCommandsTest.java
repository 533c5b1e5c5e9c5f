package org.naklab.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.naklab.lab.terminal.Terminal;
import picocli.CommandLine;

/** Every command line of this program in the documentation must be one that it accepts. */
@Timeout(60)
final class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    /** A line of a code block: indented, or between fences; a prompt, sudo, taskset and variables may precede it. */
    private static final Pattern COMMAND_LINE = Pattern.compile(
            "^\\s*(?:\\$ )?(?:[A-Z_]+=\\S+ )*(?:sudo )?(?:taskset -c \\S+ )?(?:\\./)?naklab ((?:\\S| )+)$");

    /** A comment, or what a shell takes as the end of a command. */
    private static final Pattern END = Pattern.compile("\\s+(?:#|\\||>|2>|&&|&$|;|<\\().*$");

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /** Words that stand for what a user fills in, or what a shell does, and CPUs that not every machine has. */
    private static final Map<String, String> EXAMPLES =
            Map.of("PID", "1", "$!", "1", "$PID", "1", "N", "5", "SECONDS", "5", "KIND", "process-pause", "2,3", "0,1");

    /** Each command has these, and one page explains them for all. */
    private static final Set<String> OF_EACH_COMMAND = Set.of("--help", "--version", "--color");

    record Documented(Path file, int line, String command) {
        /** Returns the words as a shell would split them. */
        String[] words() {
            List<String> words = new ArrayList<>();
            Matcher word = WORD.matcher(command);
            while (word.find()) {
                String text = word.group().replaceAll("['\"]", "");
                words.add(EXAMPLES.getOrDefault(text, text));
            }
            return words.toArray(String[]::new);
        }
    }

    private static List<Documented> documented() throws IOException {
        List<Documented> commands = new ArrayList<>();
        for (Path file : pages()) {
            addCommands(file, commands);
        }
        return commands;
    }

    private static List<Path> pages() throws IOException {
        List<Path> files = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
        }
        return files;
    }

    private static void addCommands(Path file, List<Documented> commands) throws IOException {
        List<String> lines = Files.readAllLines(file);
        boolean isFenced = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.stripLeading().startsWith("```")) {
                isFenced = !isFenced;
            } else if (isFenced || line.startsWith("    ")) {
                while (line.endsWith("\\") && i + 1 < lines.size()) {
                    i++;
                    line = line.substring(0, line.length() - 1) + lines.get(i).strip();
                }
                Matcher command = COMMAND_LINE.matcher(line);
                if (command.matches()) {
                    commands.add(new Documented(
                            ROOT.relativize(file),
                            i + 1,
                            END.matcher(command.group(1)).replaceFirst("")));
                }
            }
        }
    }

    @Test
    void shouldAcceptEachDocumentedCommand() throws IOException {
        List<Documented> documented = documented();

        assertThat(documented).hasSizeGreaterThan(50);
        assertThat(documented)
                .filteredOn(command ->
                        !command.command().contains("…") && !command.command().contains("COMMAND"))
                .allSatisfy(command -> assertThatCode(() -> parse(command.words()))
                        .as("%s:%d: naklab %s", command.file(), command.line(), Arrays.toString(command.words()))
                        .doesNotThrowAnyException());
    }

    /** A page that names the command says what each of its options is for. */
    @Test
    void shouldDocumentEachOption() throws IOException {
        List<String> pages = new ArrayList<>();
        for (Path file : pages()) {
            pages.add(Files.readString(file));
        }
        List<String> undocumented = new ArrayList<>();
        for (CommandLine.Model.CommandSpec command : HelpTest.specs()) {
            List<String> itsPages =
                    pages.stream().filter(page -> page.contains(command.name())).toList();
            for (CommandLine.Model.OptionSpec option : command.options()) {
                Pattern name = Pattern.compile(Pattern.quote(option.longestName()) + "(?![\\w-])");
                if (!option.hidden()
                        && !OF_EACH_COMMAND.contains(option.longestName())
                        && itsPages.stream()
                                .noneMatch(page -> name.matcher(page).find())) {
                    undocumented.add(command.qualifiedName() + " " + option.longestName());
                }
            }
        }
        assertThat(undocumented).isEmpty();
    }

    @Test
    void shouldRefuseAnOptionThatThereIsNot() {
        assertThatCode(() -> parse("run", "mystery", "--no-such-option"))
                .isInstanceOf(CommandLine.ParameterException.class);
    }

    private static void parse(String... words) {
        Terminal terminal = Terminal.of(System.out, System.err);
        Naklab.line(terminal).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words);
    }
}
