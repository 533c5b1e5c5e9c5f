package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example project, which CI builds from outside, consists of what the page says. */
@Timeout(10)
class ExampleProjectTest {
    private static final Path DOCS = Path.of(System.getProperty("naklab.root"), "docs");
    private static final Path EXAMPLE = DOCS.resolve("examples/your-tests");

    private static List<String> snippets(String language) throws IOException {
        String page = Files.readString(DOCS.resolve("how-to/faults-in-your-tests.md"));
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(page)
                .results()
                .map((MatchResult match) -> normalized(match.group(1)))
                .toList();
    }

    private static String normalized(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    @Test
    void shouldHaveThePagesPartsOfThePom() throws IOException {
        String pom = normalized(Files.readString(EXAMPLE.resolve("pom.xml")));

        assertThat(snippets("xml")).hasSize(3).allSatisfy(snippet -> assertThat(pom)
                .contains(snippet));
    }

    @Test
    void shouldHaveThePagesTests() throws IOException {
        String tests;
        try (Stream<Path> files = Files.walk(EXAMPLE.resolve("src"))) {
            tests = files.filter(file -> file.toString().endsWith(".java"))
                    .map(ExampleProjectTest::read)
                    .map(ExampleProjectTest::normalized)
                    .collect(Collectors.joining("\n"));
        }

        assertThat(snippets("java")).isNotEmpty().allSatisfy(snippet -> assertThat(tests)
                .contains(snippet));
    }

    @Test
    void shouldBeInstalledByCiWithThePagesCommand() throws IOException {
        String script = Files.readString(Path.of(System.getProperty("naklab.root"), ".ci", "build-examples"));

        assertThat(snippets("sh")).containsExactly("mvn install -DskipTests -pl lab/bom,lab/junit -am");
        assertThat(script).contains("-DskipTests").contains("install --projects lab/bom,lab/junit --also-make");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
