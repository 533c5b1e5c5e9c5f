package org.naklab.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No page has a place that somebody meant to fill in later. */
@Timeout(60)
final class PlaceholdersTest {
    private static final Path ROOT = Path.of(System.getProperty("naklab.root"));
    private static final Pattern PLACEHOLDER = Pattern.compile(
            "@@|\\b(TODO|FIXME|TBD|XXX|FIGURES?_HERE)\\b|\\?\\?\\?|lorem ipsum", Pattern.CASE_INSENSITIVE);

    @Test
    void shouldLeaveNoPlaceholderInAPage() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> pages = pages();
        for (Path page : pages) {
            List<String> lines = Files.readAllLines(page);
            for (int i = 0; i < lines.size(); i++) {
                if (PLACEHOLDER.matcher(lines.get(i)).find()) {
                    found.add(ROOT.relativize(page) + ":" + (i + 1) + ": " + lines.get(i));
                }
            }
        }
        assertThat(pages).hasSizeGreaterThan(30);
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"@@FIGURES@@", "TODO: measure", "p99 is TBD", "| none | ??? |"})
    void shouldKnowAPlaceholder(String line) {
        assertThat(PLACEHOLDER.matcher(line).find()).isTrue();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(docs, top)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
