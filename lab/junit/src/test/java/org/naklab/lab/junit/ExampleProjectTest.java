package org.naklab.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example projects, which CI builds from outside, consist of what the page says. */
@Timeout(60)
class ExampleProjectTest {
    private static final Path DOCS = PageSnippets.ROOT.resolve("docs");
    private static final List<Path> EXAMPLES =
            List.of(DOCS.resolve("examples/your-tests"), DOCS.resolve("examples/container-tests"));

    private static List<String> snippets(String language) throws IOException {
        return PageSnippets.of("how-to/faults-in-your-tests.md", language).stream()
                .map(ExampleProjectTest::normalized)
                .toList();
    }

    private static String normalized(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    @Test
    void shouldHaveThePagesPartsOfThePoms() throws IOException {
        List<String> poms = EXAMPLES.stream()
                .map(example -> normalized(read(example.resolve("pom.xml"))))
                .toList();
        List<String> snippets = snippets("xml");

        assertThat(snippets).hasSize(4).allSatisfy(snippet -> assertThat(poms)
                .anySatisfy(pom -> assertThat(pom).contains(snippet)));
        // The second project has the bill of materials of the first.
        assertThat(poms).allSatisfy(pom -> assertThat(pom).contains(snippets.get(0)));
    }

    @Test
    void shouldHaveThePagesTests() throws IOException {
        StringBuilder tests = new StringBuilder();
        for (Path example : EXAMPLES) {
            try (Stream<Path> files = Files.walk(example.resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(ExampleProjectTest::read)
                        .map(ExampleProjectTest::normalized)
                        .forEach(test -> tests.append(test).append('\n'));
            }
        }

        assertThat(snippets("java")).isNotEmpty().allSatisfy(snippet -> assertThat(tests.toString())
                .contains(snippet));
    }

    @Test
    void shouldBeInstalledByCiWithThePagesCommands() throws IOException {
        String script = Files.readString(Path.of(System.getProperty("naklab.root"), ".ci", "build-examples"));
        String install = "mvn install -Dnaklab.launcher -pl lab/bom,lab/junit -am";

        assertThat(read(DOCS.resolveSibling("README.md"))).contains("\n    " + install + " ");
        assertThat(PageSnippets.of("tutorial/your-tests.md", "sh"))
                .as("the chapter's commands; CI installs and then verifies each project of docs/examples")
                .extracting(ExampleProjectTest::normalized)
                .containsExactly(install, "mvn -f docs/examples/your-tests verify");
        assertThat(snippets("sh"))
                .containsExactly(
                        install,
                        "mvn install -Dnaklab.launcher -pl lab/bom,lab/testcontainers -am docker build -t naklab .");
        assertThat(script)
                .contains("-DskipTests")
                .contains("install --projects lab/bom,lab/junit,lab/testcontainers --also-make")
                .contains("for pom in docs/examples/*/pom.xml", "\"${maven[@]}\" verify");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
